// Simulate: the scene under gravity, with contacts. Play, pause, step and reset it; a drag on a body pulls at it.
import { along, distance, dot, scale, seenFrom, sub, toWorld } from '../draw/math.js';
import { rgb } from '../draw/themes.js';
import { button, element } from './dom.js';
import { Energy } from './energy.js';

// A pull is sent anew this often, ms, and lasts a little longer, s, so that it ends when the page goes away.
const AGAIN = 100;
const LASTS = 0.4;
// Farther from the pointer than this, m, a pull has its full force. A spring would not do: it is sent so seldom that it would swing up.
const NEAR = 0.05;
// Of the arrow, pixels.
const WIDE = 3;
const HEAD = 14;
const NO_TURN = [0, 0, 0, 1];

export class Simulate {
	constructor(view, connection, section, box, hint) {
		Object.assign(this, { view, connection, section, hint });
		const send = (act, rest) => this.send(act, rest);
		const number = (field, value, title, min, max) => element('input', { type: 'number', value, title, min, max, step: 'any', data: { field } });
		this.hold = element('input', { type: 'checkbox', checked: true, data: { field: 'simulate-hold' } });
		this.friction = number('simulate-friction', '0.5', 'Coefficient of friction', 0, 10);
		this.restitution = number('simulate-restitution', '0.5', 'How much of its speed a body keeps when it bounces, 0 to 1', 0, 1);
		this.young = number('simulate-young', '1', 'Young’s modulus, MPa: the softer, the faster it is computed', 1e-3, 1e6);
		this.length = number('simulate-length', '', 'Length of a step, ms; empty: as short as the error wants it', 1e-3, 10);
		this.fixed = element('input', { type: 'text', placeholder: 'none', title: 'Objects that stand still, separated by commas', data: { field: 'simulate-fixed' } });
		this.rate = element('select', { data: { field: 'simulate-rate' } }, ...[0.05, 0.1, 0.25, 0.5, 1, 2].map((x) => new Option(`${x}×`, x, x === 1, x === 1)));
		this.rate.onchange = () => this.message && send('rate', { factor: Number(this.rate.value) });
		this.pulls = element('input', { type: 'checkbox', checked: true, data: { field: 'simulate-pulls' } });
		this.strength = number('simulate-strength', '5', 'Force of a pull, N', 0, 1e6);
		this.begin = button('Start', 'From what is shown, at rest', () => this.start(), { do: 'simulate-start' });
		this.toggle = button('Play', 'Let time go on or stand still', () => send(this.message?.state === 'playing' ? 'pause' : 'play'), { do: 'simulate-play' });
		this.step = button('Step', 'A hundredth of a second', () => send('step', { seconds: 0.01 }), { do: 'simulate-step' });
		this.reset = button('Reset', 'Back to the start', () => send('reset'), { do: 'simulate-reset' });
		this.end = button('End', 'Everything stays where it is', () => send('end'), { do: 'simulate-end' });
		this.words = element('p', { className: 'empty' });
		this.words.setAttribute('role', 'status');
		const canvas = element('canvas', { id: 'energy' });
		canvas.setAttribute('role', 'img');
		canvas.setAttribute('aria-label', 'Energies over time');
		this.legend = element('p', { className: 'empty', textContent: 'Black: total; red: kinetic; blue: potential; green: in contacts and springs.' });
		this.energy = new Energy(canvas);
		const line = (text, ...controls) => element('label', { className: 'line' }, text, ...controls);
		box.append(
			line('Hold the robot', this.hold), line('Friction', this.friction), line('Bounce', this.restitution), line('Stiffness, MPa', this.young),
			line('Steps, ms', this.length), line('Fixed', this.fixed), line('Speed', this.rate), line('Drag pulls', this.pulls), line('Pull, N', this.strength),
			element('div', { className: 'buttons' }, this.begin, this.toggle, this.step, this.reset, this.end), this.words, canvas, this.legend,
		);
		section.addEventListener('toggle', () => this.energy.draw());
		view.addEventListener('press', ({ detail }) => this.press(detail));
		view.addEventListener('drawing', () => this.draw());
		this.show();
	}

	send(act, rest = {}) { this.connection.send({ do: 'simulate', act, ...rest }); }

	start() {
		this.energy.clear();
		const fixed = this.fixed.value.split(',').map((name) => name.trim()).filter(Boolean);
		const numbers = { friction: Number(this.friction.value), restitution: Number(this.restitution.value), young: 1e6 * Number(this.young.value) };
		const step = this.length.value === '' ? null : Number(this.length.value) / 1000;
		this.send('start', { hold: this.hold.checked ? 5 : null, fixed, step, ...numbers });
		this.send('rate', { factor: Number(this.rate.value) });
		this.send('play');
	}

	setPicture(picture) {
		this.picture = picture;
		this.show();
	}

	// What the server says about the simulation.
	set(message) {
		this.message = message.state === 'none' ? null : message;
		if (this.message) this.energy.add(message.time, message.energies);
		else this.release();
		this.show();
	}

	get lives() { return this.message && this.message.state !== 'failed'; }

	show() {
		const { state, reason, time, speed, steps } = this.message ?? {};
		this.begin.disabled = !this.picture?.editing;
		this.begin.textContent = this.message ? 'Start anew' : 'Start';
		for (const one of [this.toggle, this.step]) one.disabled = !this.lives;
		for (const one of [this.reset, this.end]) one.disabled = !this.message;
		this.toggle.textContent = state === 'playing' ? 'Pause' : 'Play';
		this.section.dataset.state = state ?? '';
		this.hint.textContent = this.message ? `${state}, ${time.toFixed(2)} s` : '';
		this.words.classList.toggle('bad', state === 'failed');
		this.legend.hidden = !this.message;
		const pace = state === 'playing' ? `, ${speed.toFixed(2)} × real time` : '';
		this.words.textContent = reason ?? (this.message ? `${time.toFixed(3)} s in ${steps} steps${pace}` : 'The scene under gravity. Start, and drag bodies to pull at them.');
	}

	// ---- pulling

	// A press on a body that moves takes hold of it.
	press({ at, event }) {
		if (!this.lives || !this.pulls.checked) return;
		const target = this.view.pick(at);
		const name = target && this.bodyOf(target);
		if (!name) return;
		const { view } = this;
		view.gestures.suspend();
		const pose = this.poseOf(name);
		const { world } = view.surfaceOf(target);
		const on = this.onPlane(at, world.xyz);
		this.grip = { name, point: seenFrom(pose, { xyz: on, quat: NO_TURN }).xyz, at };
		const timer = setInterval(() => this.pull(), AGAIN);
		const move = (moved) => {
			if (moved.pointerId !== event.pointerId) return;
			this.grip.at = view.gestures.place(moved);
			this.pull();
			view.redraw();
		};
		const stop = (ended) => ended.pointerId === event.pointerId && this.release();
		addEventListener('pointermove', move);
		for (const kind of ['pointerup', 'pointercancel']) addEventListener(kind, stop);
		this.letGo = () => {
			clearInterval(timer);
			removeEventListener('pointermove', move);
			for (const kind of ['pointerup', 'pointercancel']) removeEventListener(kind, stop);
			// After the gestures have seen the end of it.
			setTimeout(() => view.gestures.resume(), 0);
		};
	}

	release() {
		if (!this.grip) return;
		const { name, point } = this.grip;
		if (this.lives) this.send('push', { body: name, point, force: [0, 0, 0], seconds: 1e-3 });
		this.grip = null;
		this.letGo();
		this.view.redraw();
	}

	// The link or object that is pulled: an object that a link carries is pulled at the link.
	bodyOf(target) {
		const body = this.view.bodies.get(target.link ?? target.object);
		if (!body?.own) return body?.name;
		return body.link < 0 ? body.name : this.picture.links[body.link].name;
	}

	poseOf(name) { return this.view.bodyPose(this.view.bodies.get(name)); }

	// The place under the cursor, as far from the eye as a point.
	onPlane(at, point) {
		const { camera } = this.view;
		const { from, way } = camera.ray(at);
		return along(from, way, dot(sub(from, point), camera.back));
	}

	// Where the pull begins and where it leads, and its force.
	tow() {
		const { name, point, at } = this.grip;
		const from = toWorld(this.poseOf(name), point);
		const to = this.onPlane(at, from);
		const share = (Number(this.strength.value) || 0) / Math.max(NEAR, distance(from, to));
		return { from, to, force: scale(sub(to, from), share) };
	}

	pull() {
		const { name, point } = this.grip;
		const command = { do: 'simulate', act: 'push', body: name, point, force: this.tow().force, seconds: LASTS };
		this.connection.sendLast('push', command);
	}

	// The force as an arrow from where it pulls.
	draw() {
		if (!this.grip) return;
		const { from, to } = this.tow();
		const { renderer: { marks }, colors } = this.view;
		marks.push(from, to, [...rgb(colors.line), 1], WIDE, HEAD);
	}
}
