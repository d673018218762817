// Buttons and keys from one list: what there is to do with the whole scene. A row is another button, key and line of help:
//   id, text, title, key (as in KeyboardEvent, shown in the help), run, and enabled(picture) where it is not always so.
// A row with `href` becomes a link that saves a file.
import { element } from './dom.js';

export class Actions {
	constructor(bar, rows) {
		this.rows = rows;
		for (const row of rows) {
			if (!row.text) continue;
			const hint = row.key ? `${row.title} (${row.shown ?? row.key.toUpperCase()})` : row.title;
			row.element = row.href
				? element('a', { id: row.id, className: 'button', href: row.href, download: '', textContent: row.text, title: hint })
				: element('button', { id: row.id, textContent: row.text, title: hint, onclick: row.run });
			bar.append(row.element);
		}
	}

	setPicture(picture) {
		for (const { element: made, enabled, href } of this.rows) {
			if (!made) continue;
			if (!enabled) continue;
			if (href) made.setAttribute('aria-disabled', String(!enabled(picture)));
			else made.disabled = !enabled(picture);
		}
	}

	// What the keys do, by name.
	keys() { return Object.fromEntries(this.rows.filter((row) => row.key && row.run).map((row) => [row.key, row.run])); }
}
