// Cloth: falls over the scene in the server, is drawn here, and is pulled and pinned with the pointer.
import { Mesh } from '../draw/meshes.js';
import { IDENTITY, add, dot, scale, sub } from '../draw/math.js';
import { rgb, squared } from '../draw/themes.js';
import { button, element } from './dom.js';

// How near the pointer has to be to a vertex, in pixels, and how far it moves to pull rather than to click.
const REACH = 14;
const CLICK = 5;
const COLOR = 0xc98f4a;
const PIN = 0xc2185b;
const NO_GLOW = [0, 0, 0];

export class ClothPanel {
	constructor(view, connection, section, box, hint) {
		Object.assign(this, { view, connection, section, hint, places: null });
		this.side = element('input', { type: 'number', min: 2, max: 100, step: 1, value: 41, data: { field: 'cloth-vertices' } });
		const send = (act) => () => connection.send({ do: 'cloth', act });
		this.drop = button('Drop', 'A cloth falls over the scene', () => send({ what: 'drop', vertices: Math.round(Number(this.side.value)) })(), { do: 'cloth-drop' });
		this.play = button('Pause', 'Stop the cloth or let it move', () => send({ what: this.state === 'playing' ? 'pause' : 'play' })(), { do: 'cloth-play' });
		this.remove = button('Remove', 'Take the cloth away', send({ what: 'remove' }), { do: 'cloth-remove' });
		this.terrain = button('Terrain', '81 superellipsoids in place of the objects of the scene', send({ what: 'terrain' }), { do: 'cloth-terrain' });
		this.pull = button('Pull', 'Whether the pointer takes the cloth, or turns the scene', () => this.pull.classList.toggle('on'), { do: 'cloth-pull' });
		this.pull.classList.add('on');
		this.words = element('p', { className: 'empty' });
		this.words.setAttribute('role', 'status');
		const line = (text, ...controls) => element('label', { className: 'line' }, text, ...controls);
		box.append(line('Vertices a side', this.side), element('div', { className: 'buttons' }, this.drop, this.play, this.remove, this.pull, this.terrain), this.words);
		view.addEventListener('drawing', () => this.draw());
		view.addEventListener('press', ({ detail }) => this.press(detail));
		this.show();
	}

	setPicture(picture) {
		this.terrain.disabled = !picture.editing;
	}

	// What the server says: state, reason, rows, columns, places, pins, time, millis.
	set(message) {
		Object.assign(this, { state: message.state, message });
		const had = this.places?.length;
		this.places = message.places.length ? Float32Array.from(message.places, (x) => x * message.unit) : null;
		if (!this.places || had !== this.places.length) this.dispose();
		this.show();
		this.view.redraw();
	}

	dispose() {
		this.mesh?.dispose();
		this.mesh = null;
	}

	show() {
		const { state, message } = this;
		const there = Boolean(this.places);
		this.play.disabled = this.remove.disabled = !there;
		this.play.textContent = state === 'paused' ? 'Play' : 'Pause';
		this.section.dataset.state = state ?? 'none';
		this.hint.textContent = there ? `${message.time.toFixed(1)} s` : '';
		this.words.classList.toggle('bad', Boolean(message?.reason));
		this.words.textContent = message?.reason ?? (there
			? `${message.rows} × ${message.columns} vertices over ${message.bodies} surfaces, ${message.millis.toFixed(1)} ms a step. Drag it; a click pins a vertex or lets it go.`
			: 'A cloth that falls over the scene as it is, and over the robot as it moves.');
	}

	place(k) { return [this.places[3 * k], this.places[3 * k + 1], this.places[3 * k + 2]]; }

	draw() {
		if (!this.places) return;
		const { view } = this;
		const { rows, columns, pins } = this.message;
		const normals = normalsOf(this.places, rows, columns);
		if (this.mesh) this.mesh.update({ vertices: this.places, normals });
		else this.mesh = new Mesh(view.renderer.gl, { vertices: this.places, normals, triangles: trianglesOf(rows, columns) });
		// Of what is drawn like parts of meshes both sides are seen.
		view.scene.outside.push({ mesh: this.mesh, pose: IDENTITY, color: squared(COLOR), alpha: 1, glow: NO_GLOW, id: 0 });
		for (const [row, column] of pins) view.renderer.dots.push(this.place(row * columns + column), [...rgb(PIN), 1]);
	}

	// The vertex in front at a place of the canvas, within reach of it.
	vertexAt([x, y]) {
		let [found, depth] = [-1, Infinity];
		for (let k = 0; 3 * k < this.places.length; k++) {
			const at = this.view.project(this.place(k));
			if (!at || Math.hypot(at[0] - x, at[1] - y) > REACH) continue;
			const away = -dot(sub(this.place(k), this.view.camera.position), this.view.camera.back);
			if (away < depth) [found, depth] = [k, away];
		}
		return found;
	}

	// The vertex under the pointer follows it in the plane of the screen. Let go it falls; a click pins it, or lets a pinned one go.
	press({ at, event }) {
		if (!this.places || !event.isPrimary || !this.pull.classList.contains('on')) return;
		const vertex = this.vertexAt(at);
		if (vertex < 0) return;
		const { view, connection } = this;
		const { columns, pins } = this.message;
		const [row, column] = [Math.floor(vertex / columns), vertex % columns];
		const wasPinned = pins.some(([i, j]) => i === row && j === column);
		const origin = this.place(vertex);
		const begin = [event.clientX, event.clientY];
		let pulled = false;
		view.gestures.suspend();
		const target = (moved) => {
			const { from, way } = view.camera.ray(view.gestures.place(moved));
			const share = dot(sub(origin, from), view.camera.back) / dot(way, view.camera.back);
			return add(from, scale(way, share));
		};
		const hold = (point) => ({ do: 'cloth', act: { what: 'hold', row, column, at: point } });
		const release = { do: 'cloth', act: { what: 'release', row, column } };
		const move = (moved) => {
			if (moved.pointerId !== event.pointerId) return;
			pulled ||= Math.hypot(moved.clientX - begin[0], moved.clientY - begin[1]) > CLICK;
			if (pulled) connection.sendLast('cloth', hold(target(moved)));
		};
		const end = (ended) => {
			if (ended.pointerId !== event.pointerId) return;
			removeEventListener('pointermove', move);
			for (const name of ['pointerup', 'pointercancel']) removeEventListener(name, end);
			// A pin that was pulled stays where it was pulled to; after a pull that is still waiting.
			if (pulled && !wasPinned) connection.sendLast('cloth', release);
			else if (!pulled) connection.send(wasPinned ? release : hold(origin));
			// After the gestures have seen the end of it.
			setTimeout(() => view.gestures.resume(), 0);
		};
		addEventListener('pointermove', move);
		for (const name of ['pointerup', 'pointercancel']) addEventListener(name, end);
	}
}

function trianglesOf(rows, columns) {
	const triangles = [];
	for (let i = 1; i < rows; i++) {
		for (let j = 1; j < columns; j++) {
			const first = (i - 1) * columns + j - 1;
			triangles.push(first, first + columns, first + columns + 1, first, first + columns + 1, first + 1);
		}
	}
	return triangles;
}

// The cross product of the ways to the neighbours along a column and along a row.
function normalsOf(places, rows, columns) {
	const normals = new Float32Array(places.length);
	for (let i = 0; i < rows; i++) {
		const [above, below] = [Math.max(i - 1, 0), Math.min(i + 1, rows - 1)];
		for (let j = 0; j < columns; j++) {
			const [left, right] = [Math.max(j - 1, 0), Math.min(j + 1, columns - 1)];
			const [a, b, c, d] = [above * columns + j, below * columns + j, i * columns + left, i * columns + right].map((k) => 3 * k);
			const [ux, uy, uz] = [places[b] - places[a], places[b + 1] - places[a + 1], places[b + 2] - places[a + 2]];
			const [vx, vy, vz] = [places[d] - places[c], places[d + 1] - places[c + 1], places[d + 2] - places[c + 2]];
			const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
			const length = Math.hypot(x, y, z) || 1;
			normals.set([x / length, y / length, z / length], 3 * (i * columns + j));
		}
	}
	return normals;
}
