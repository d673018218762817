// What questions and pictures cost, smoothed, while the list is open.
import { element } from './dom.js';

// Not more often than this, ms: it is read by people.
const EVERY = 250;

export class Times {
	constructor(body, view) {
		Object.assign(this, { body, view, smoothed: null, due: null });
		this.section = body.closest('details');
		this.section.addEventListener('toggle', () => this.render());
	}

	set(micros, closeDistance) {
		this.closeDistance = closeDistance;
		this.smoothed ??= { ...micros };
		for (const [name, value] of Object.entries(micros)) this.smoothed[name] = 0.9 * this.smoothed[name] + 0.1 * value;
		// The last state of a robot that stands still is shown, too.
		this.due ??= setTimeout(() => {
			this.due = null;
			this.render();
		}, EVERY);
	}

	render() {
		if (!this.section.open || !this.smoothed) return;
		const { in_collision, close_pairs, table } = this.smoothed;
		const rows = [
			['In collision?', in_collision, 'µs'],
			[`Pairs closer than ${Number((1000 * this.closeDistance).toPrecision(6))} mm`, close_pairs, 'µs'],
			['Pairs of the table', table, 'µs'],
			['This page', this.view.fps, 'frames/s'],
			['Its script, each frame', 1000 * (this.view.work ?? 0), 'µs'],
		];
		this.body.replaceChildren(...rows.map(([name, value, unit]) => element('tr', {},
			element('td', { textContent: name }), element('td', { className: 'number', textContent: `${value.toFixed(0)} ${unit}` }))));
	}
}
