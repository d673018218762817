// Fit: smooth surfaces around the meshes of a link or of the whole robot, and the report of the last fit.
import { button, element } from './dom.js';

const ROBOT = '';

export class Fit {
	constructor(connection, section, box, hint) {
		Object.assign(this, { connection, section, hint });
		const select = (field, ...options) => element('select', { data: { field } }, ...options);
		this.link = select('fit-link');
		this.from = select('fit-from', new Option('collision meshes', 'collision'), new Option('visual meshes', 'visual'));
		const number = (field, placeholder, title) => element('input', { type: 'number', min: 0, step: 'any', placeholder, title, data: { field } });
		this.surfaces = number('fit-surfaces', '3 a link', 'Most surfaces of all links together');
		this.tolerance = number('fit-tolerance', 'none', 'Mean distance of the surfaces from the mesh that is good enough for a link');
		this.go = button('Fit', 'Replace the collision shapes by smooth surfaces that contain the meshes', () => this.start(), { do: 'fit' });
		this.stop = button('Cancel', 'End the fit and change nothing', () => connection.send({ do: 'cancel_fit' }), { do: 'cancel-fit' });
		this.bar = element('progress', { max: 1 });
		this.bar.setAttribute('aria-label', 'Progress of the fit');
		this.words = element('p', { className: 'empty' });
		this.words.setAttribute('role', 'status');
		this.report = element('div', { className: 'report' });
		const line = (text, control) => element('label', { className: 'line' }, text, control);
		box.append(
			line('Of', this.link), line('From', this.from), line('Surfaces', this.surfaces), line('Within, mm', this.tolerance),
			element('div', { className: 'buttons' }, this.go, this.stop), this.bar, this.words, this.report,
		);
		setInterval(() => this.message?.state === 'running' && this.showProgress(), 1000);
		this.show();
	}

	setPicture(picture) {
		const names = picture.links.map((link) => link.name);
		this.section.hidden = !picture.has_geometry;
		this.go.disabled = !picture.editing;
		const key = JSON.stringify([picture.robot_number, names]);
		if (key === this.key) return;
		this.key = key;
		this.link.replaceChildren(new Option('the whole robot', ROBOT), ...names.map((name) => new Option(name)));
		if (this.message?.robot_number !== picture.robot_number) this.set(null);
	}

	// What is picked in the scene is what is fitted next.
	select(target) {
		if (target?.link) this.link.value = target.link;
	}

	start() {
		const asked = (input, factor) => (input.value === '' ? null : Number(input.value) * factor);
		this.connection.send({
			do: 'fit', link: this.link.value === ROBOT ? null : this.link.value, from: this.from.value,
			surfaces: asked(this.surfaces, 1), tolerance: asked(this.tolerance, 0.001),
		});
	}

	// Fits a link with what was asked for last.
	fitLink(link) {
		this.link.value = link;
		this.section.open = true;
		this.start();
		this.section.scrollIntoView({ block: 'nearest' });
	}

	// What the server says about the last fit.
	set(message) {
		this.message = message;
		this.came = performance.now();
		this.show();
	}

	show() {
		const { state, link, reason, report } = this.message ?? {};
		const running = state === 'running';
		this.go.hidden = running;
		this.stop.hidden = !running;
		this.bar.hidden = !running;
		this.section.dataset.state = state ?? '';
		const of = link ?? 'the whole robot';
		this.hint.textContent = state ? `${of}: ${state}` : '';
		this.words.classList.toggle('bad', state === 'failed');
		if (running) this.showProgress();
		else this.words.textContent = reason ?? (state === 'cancelled' ? 'Cancelled: nothing was changed.' : '');
		this.report.replaceChildren(...(report ? reportOf(report) : []));
	}

	showProgress() {
		const { done, steps, seconds } = this.message;
		const passed = seconds + (performance.now() - this.came) / 1000;
		const left = done && done < steps ? `, about ${Math.max(1, Math.round((seconds / done) * steps - passed))} s left` : '';
		if (steps) this.bar.value = done / steps;
		else this.bar.removeAttribute('value');
		this.words.textContent = `${steps ? `Step ${done} of ${steps}` : 'Reading'}, ${Math.round(passed)} s${left}`;
	}
}

const mm = (metres) => (1000 * metres).toFixed(2);
const ratio = (value) => (value == null ? '–' : value.toFixed(2));
const COLUMNS = [
	['surfaces', 'Surfaces', (row) => String(row.surfaces)],
	['covered', 'Covered', (row) => `${100 * row.covered} %`],
	['mean', 'Mean outward, mm', (row) => mm(row.mean_outward)],
	['largest', 'Largest outward, mm', (row) => mm(row.max_outward)],
	['mesh', 'Volume / mesh', (row) => ratio(row.volume_over_mesh)],
	['hull', 'Volume / hull', (row) => ratio(row.volume_over_hull)],
	['seconds', 'Time, s', (row) => row.seconds.toFixed(1)],
];

// All in all, one line a number; then one line a link.
function* reportOf({ links, total, skipped }) {
	const cell = (text, name) => element('td', { className: 'number', textContent: text, data: { of: name } });
	const head = (text) => element('th', { textContent: text });
	yield element('table', { className: 'total' }, ...COLUMNS.map(([name, title, read]) => element('tr', {}, head(title), cell(read(total), name))));
	yield element('p', { className: 'empty', textContent: 'Every triangle is proven to lie inside the surfaces of its link.' });
	if (links.length > 1) {
		const shown = COLUMNS.filter(([name]) => ['surfaces', 'mean', 'largest', 'hull'].includes(name));
		const row = (one) => element('tr', {}, element('td', { textContent: one.name, title: one.name }), ...shown.map(([name, , read]) => cell(read(one), name)));
		yield element('div', { className: 'scroll' }, element('table', { className: 'links' },
			element('tr', {}, head('link'), ...shown.map(([name]) => head(name === 'surfaces' ? 'n' : name))), ...links.map(row)));
	}
	for (const { link, reason } of skipped) yield element('p', { className: 'empty bad', textContent: `${link} is as it was: ${reason}` });
}
