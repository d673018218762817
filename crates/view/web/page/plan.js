// Plan: from a start to the state that is shown, on a path that is proven free. The trees of the search are drawn as they grow.
import { rgb } from '../draw/themes.js';
import { button, element } from './dom.js';

const ALL = '';
// A search that was over before it could be watched is drawn within this time, ms.
const GROWTH = 1500;
// Widths in pixels.
const EDGE = 1.2;
const WAY = 3.5;

export class Plan {
	constructor(view, connection, section, box, hint) {
		Object.assign(this, { view, connection, section, hint });
		const select = (field, ...options) => element('select', { data: { field } }, ...options);
		this.group = select('plan-group');
		this.link = select('plan-link');
		this.drag = button('Drag', 'Handles on the link: drag it to where it shall go', () => this.toggleHandles(), { do: 'drag-goal' });
		this.begin = button('Start here', 'The motion begins in the state that is shown', () => this.setStart(this.positions), { do: 'plan-start' });
		this.back = button('Show start', 'Move the robot to the start', () => connection.send({ do: 'set_state', positions: this.start }), { do: 'show-start' });
		this.go = button('Plan', 'A path from the start to the state that is shown, proven free', () => this.send(), { do: 'plan' });
		this.stop = button('Cancel', 'End the search', () => connection.send({ do: 'cancel_plan' }), { do: 'cancel-plan' });
		this.remove = button('Remove', 'Forget the path', () => connection.send({ do: 'remove_plan' }), { do: 'remove-plan' });
		this.words = element('p', { className: 'empty' });
		this.words.setAttribute('role', 'status');
		this.report = element('div', { className: 'report' });
		const line = (text, ...controls) => element('label', { className: 'line' }, text, ...controls);
		box.append(
			line('Joints', this.group), element('div', { className: 'line' }, 'Link', this.link, this.drag),
			element('div', { className: 'buttons' }, this.begin, this.back, this.go, this.stop, this.remove), this.words, this.report,
		);
		view.addEventListener('drawing', () => this.draw());
		view.addEventListener('moved', () => this.reach());
		view.addEventListener('drag', ({ detail: begins }) => begins || (this.view.goalPose = null));
		setInterval(() => this.message?.state === 'running' && this.showProgress(), 1000);
		this.show();
	}

	setPicture(picture) {
		this.canRemove = picture.has_plan;
		const names = picture.links.map((link) => link.name);
		const key = JSON.stringify([picture.robot_number, names, picture.groups]);
		if (key !== this.key) {
			this.key = key;
			this.group.replaceChildren(new Option('all', ALL), ...picture.groups.map((name) => new Option(name)));
			this.link.replaceChildren(...names.map((name) => new Option(name)));
			this.link.value = names.at(-1);
			this.start = null;
			if (this.message && this.message.robot_number !== picture.robot_number) this.message = null;
		}
		this.show();
	}

	// The first state that is seen is the start until another one is chosen.
	setPositions(positions) {
		this.positions = positions;
		if (!this.start) this.setStart(positions);
	}

	setStart(positions) {
		this.start = [...positions];
		this.show();
	}

	// The link of what is picked in the scene is dragged next.
	select(target) {
		if (target?.link) this.link.value = target.link;
		this.show();
	}

	get dragged() { return this.view.handles.object?.goal; }

	toggleHandles() {
		if (this.dragged) this.view.handles.detach();
		else this.view.handles.attach({ goal: this.link.value }, 'translate');
		this.show();
	}

	// The robot follows the handles as far as its joints let it.
	reach() {
		if (!this.dragged) return;
		const pose = this.view.worldPose(this.view.handles.object);
		this.connection.sendLast('reach', { do: 'reach', link: this.dragged, pose, group: this.group.value || null });
	}

	send() {
		this.view.handles.detach();
		this.connection.send({ do: 'plan', group: this.group.value || null, from: this.start, to: this.positions, link: this.link.value });
	}

	// What the server says about the last plan.
	set(message) {
		const isNew = this.message?.state !== 'running';
		this.message = message.state === 'none' ? null : message;
		this.came = performance.now();
		if (isNew) this.since = this.came;
		this.show();
		this.view.redraw();
	}

	show() {
		const { state, reason, report } = this.message ?? {};
		const running = state === 'running';
		this.go.hidden = running;
		this.go.disabled = !this.start;
		this.back.disabled = !this.start;
		this.stop.hidden = !running;
		this.remove.hidden = !this.canRemove;
		this.drag.classList.toggle('on', Boolean(this.dragged));
		this.section.dataset.state = state ?? '';
		this.hint.textContent = state ?? '';
		this.words.classList.toggle('bad', state === 'failed');
		if (running) this.showProgress();
		else this.words.textContent = reason ?? WORDS[state] ?? 'Move the robot to where it shall go, and press Plan.';
		this.report.replaceChildren(...(report ? [reportOf(report)] : []));
	}

	showProgress() {
		const seconds = Math.round(this.message.seconds + (performance.now() - this.came) / 1000);
		this.words.textContent = `Searching, ${seconds} s, ${this.message.edge_count} edges`;
	}

	draw() {
		const { edges = [], path = [], state } = this.message ?? {};
		const { renderer: { marks }, colors } = this.view;
		const share = Math.min(1, (performance.now() - this.since) / GROWTH);
		const shown = state === 'running' ? edges.length : Math.ceil(share * edges.length);
		for (const edge of edges.slice(0, shown)) marks.push(edge.slice(0, 3), edge.slice(3), [...rgb(colors.normal), 0.45], EDGE);
		this.drawnEdges = shown;
		if (share < 1) {
			this.view.redraw();
			return;
		}
		for (let k = 1; k < path.length; k++) marks.push(path[k - 1], path[k], [...rgb(colors.line), 1], WAY);
	}
}

const WORDS = {
	done: 'Proven free in continuous time, self-collision included. It is being played; the least distance along it is plotted above.',
	cancelled: 'Cancelled.',
};

const ROWS = [
	['clearance', 'Proven clearance, mm', ({ clearance }) => (clearance == null ? 'nothing can meet' : (1000 * clearance).toFixed(2))],
	['nearest', 'Between', ({ nearest }) => nearest?.join(' – ') ?? '–'],
	['duration', 'Duration, s', ({ duration }) => duration.toFixed(2)],
	['waypoints', 'Waypoints', ({ waypoints }) => String(waypoints)],
	['length', 'Length in joint space', ({ length }) => length.toFixed(3)],
	['states', 'States checked', ({ states }) => String(states)],
	['proofs', 'Edges proven', ({ proofs }) => String(proofs)],
	['time', 'Found in, ms', ({ seconds }) => (1000 * seconds).toFixed(2)],
];

function reportOf(report) {
	const row = ([name, title, read]) => element('tr', {},
		element('th', { textContent: title }), element('td', { className: 'number', textContent: read(report), data: { of: name } }));
	return element('table', { className: 'total' }, ...ROWS.map(row));
}
