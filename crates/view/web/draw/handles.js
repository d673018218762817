// Handles that move or turn what is selected: arrows, squares and rings along its own axes.
import { KINDS } from './shaders.js';
import { aboutAxis, add, along, compose, cross, dot, length, normalized, scale, sub, turn, turnFromZ, unit } from './math.js';

const AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const NAMES = ['X', 'Y', 'Z'];
const COLORS = [[0.90, 0.22, 0.25], [0.20, 0.66, 0.26], [0.20, 0.42, 0.95]];
const BRIGHT = [1, 0.78, 0.1];
// Sizes in pixels of the page.
const ARROW = 84;
const RING = 76;
const SQUARE = 11;
const PIECES = 72;
// Numbers in the id buffer: axes, squares across an axis, rings, and the middle.
const FIRST = { axis: 1, square: 4, ring: 7 };
const MIDDLE = 10;

export class Handles {
	constructor(view) {
		this.view = view;
		this.mode = 'translate';
		this.object = null;
		this.dragging = null;
		this.hot = 0;
	}

	attach(object, mode) {
		this.object = object;
		this.mode = mode;
		this.view.redraw();
	}

	detach() {
		this.object = null;
		this.hot = 0;
		if (this.dragging) this.release();
		this.view.redraw();
	}

	// Where the middle is, which way the axes point, and how many metres a pixel is there.
	frame() {
		const pose = this.view.worldPose(this.object);
		const { xyz, quat } = this.dragging?.frozen ?? pose;
		return { at: pose.xyz, axes: AXES.map((axis) => turn(quat, axis)), pixel: this.view.camera.pixel(pose.xyz) };
	}

	draw(lines, patches) {
		if (!this.object) return;
		const { at, axes, pixel } = this.frame();
		const { camera } = this.view;
		const color = (number, base, alpha) => {
			if (this.dragging && this.dragging.number !== number) return [...base, 0.25 * alpha];
			return this.hot === number || this.dragging?.number === number ? [...BRIGHT, 1] : [...base, alpha];
		};
		if (this.mode === 'rotate') {
			axes.forEach((axis, k) => {
				const number = FIRST.ring + k;
				const ring = this.ring(axis, RING * pixel);
				for (let i = 0; i < PIECES; i++) {
					const [a, b] = [ring[i], ring[(i + 1) % PIECES]];
					// The half behind is faint.
					const front = dot(add(a, b), camera.back) > -1e-9;
					lines.push(add(at, a), add(at, b), color(number, COLORS[k], front ? 1 : 0.22), front ? 3.5 : 2, 0, number);
				}
			});
			return;
		}
		axes.forEach((axis, k) => {
			const number = FIRST.axis + k;
			// An arrow towards the eye has no length on the screen.
			const seen = Math.sqrt(Math.max(0, 1 - dot(axis, camera.back) ** 2));
			const alpha = Math.min(1, Math.max(0, (seen - 0.12) / 0.15));
			if (alpha > 0) lines.push(along(at, axis, 12 * pixel), along(at, axis, ARROW * pixel), color(number, COLORS[k], alpha), 3.5, 17, number);
			const facing = Math.abs(dot(axis, camera.back));
			if (facing > 0.2) {
				const [u, v] = [axes[(k + 1) % 3], axes[(k + 2) % 3]];
				const square = FIRST.square + k;
				const place = along(along(at, u, 2.4 * SQUARE * pixel), v, 2.4 * SQUARE * pixel);
				const [r, g, b, a] = color(square, COLORS[k], 0.75);
				const half = SQUARE * pixel;
				patches.push(SQUARE, { kind: KINDS.plane, radii: [half, half, 0, 0], form: [0, 0, 0, 0] },
					{ xyz: place, quat: this.squareTurn(axis, u) }, [0, 0, 0], a, [r * r, g * g, b * b], square);
			}
		});
		lines.push(along(at, camera.right, -5 * pixel), along(at, camera.right, 5 * pixel), color(MIDDLE, [0.55, 0.58, 0.62], 0.95), 10, 0, MIDDLE);
	}

	// Turns z to an axis and x to another.
	squareTurn(axis, u) {
		const first = turnFromZ(axis);
		const x = turn(first, [1, 0, 0]);
		const angle = Math.atan2(dot(cross(x, u), axis), dot(x, u));
		return compose(aboutAxis(axis, angle), first);
	}

	ring(axis, radius) {
		const u = unit(cross(axis, Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
		const v = cross(axis, u);
		return Array.from({ length: PIECES }, (_, i) => {
			const angle = (2 * Math.PI * i) / PIECES;
			return scale(along(scale(u, Math.cos(angle)), v, Math.sin(angle)), radius);
		});
	}

	hover(at) {
		if (!this.object || this.dragging) return;
		const hot = this.view.pickHandle(at, 4);
		if (hot === this.hot) return;
		this.hot = hot;
		this.view.redraw();
	}

	// True when a handle is taken there.
	press(at, reach) {
		if (!this.object) return false;
		const number = this.view.pickHandle(at, reach);
		if (!number) return false;
		const pose = this.view.worldPose(this.object);
		const { axes } = this.frame();
		const { camera } = this.view;
		const drag = { number, frozen: pose, start: at };
		if (number === MIDDLE) Object.assign(drag, { kind: 'square', axis: camera.back });
		else if (number >= FIRST.ring) Object.assign(drag, { kind: 'ring', axis: axes[number - FIRST.ring] });
		else if (number >= FIRST.square) Object.assign(drag, { kind: 'square', axis: axes[number - FIRST.square] });
		else Object.assign(drag, { kind: 'axis', axis: axes[number - FIRST.axis] });
		drag.grip = this.grip(drag, at);
		this.dragging = drag;
		this.hot = number;
		this.view.dispatchEvent(new CustomEvent('drag', { detail: true }));
		return true;
	}

	// What a place on the screen means for a drag: metres along the axis, a point of the plane, or an angle.
	grip({ kind, axis, frozen, start }, at) {
		const { camera } = this.view;
		const { from, way } = camera.ray(at);
		const offset = sub(from, frozen.xyz);
		if (kind === 'axis') {
			// The point of the axis that is nearest to the ray.
			const [b, d, e, c] = [dot(axis, way), dot(axis, offset), dot(way, offset), dot(way, way)];
			const across = c - b * b;
			return across > 1e-6 * c ? (c * d - b * e) / across : 0;
		}
		const facing = dot(axis, way);
		const point = along(offset, way, -dot(axis, offset) / (Math.abs(facing) > 1e-6 ? facing : 1e-6));
		if (kind === 'square') return point;
		if (Math.abs(facing) > 0.25 * length(way)) {
			const u = unit(cross(axis, Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
			return Math.atan2(dot(point, cross(axis, u)), dot(point, u));
		}
		// A ring seen from its edge: along it on the screen.
		const seen = camera.toCamera(cross(axis, camera.back));
		const size = Math.hypot(seen[0], seen[1]);
		return ((at[0] - start[0]) * seen[0] - (at[1] - start[1]) * seen[1]) / size / RING;
	}

	drag(at) {
		const { dragging: drag, view } = this;
		const grip = this.grip(drag, at);
		const { xyz, quat } = drag.frozen;
		let pose;
		if (drag.kind === 'ring') pose = { xyz, quat: normalized(compose(aboutAxis(drag.axis, grip - drag.grip), quat)) };
		else if (drag.kind === 'axis') pose = { xyz: along(xyz, drag.axis, grip - drag.grip), quat };
		else pose = { xyz: add(xyz, sub(grip, drag.grip)), quat };
		view.setWorldPose(this.object, pose);
		view.dispatchEvent(new Event('moved'));
		view.redraw();
	}

	// Steps of the keyboard along or about an axis of its own, in pixels or degrees.
	nudge(axis, steps) {
		if (!this.object) return;
		const { xyz, quat } = this.view.worldPose(this.object);
		const way = turn(quat, AXES[axis]);
		const pose = this.mode === 'rotate'
			? { xyz, quat: normalized(compose(aboutAxis(way, (steps * Math.PI) / 180), quat)) }
			: { xyz: along(xyz, way, steps * this.step()), quat };
		this.view.dispatchEvent(new CustomEvent('drag', { detail: true }));
		this.view.setWorldPose(this.object, pose);
		this.view.dispatchEvent(new Event('moved'));
		this.view.dispatchEvent(new CustomEvent('drag', { detail: false }));
		this.view.redraw();
	}

	// About a pixel, as a round number of metres.
	step() {
		const pixel = this.view.camera.pixel(this.view.worldPose(this.object).xyz);
		return 10 ** Math.round(Math.log10(pixel));
	}

	release() {
		this.dragging = null;
		this.view.dispatchEvent(new CustomEvent('drag', { detail: false }));
		this.view.redraw();
	}

	// A place on the canvas where a handle can be taken, for tests.
	placeOf(name) {
		const { at, axes, pixel } = this.frame();
		const k = NAMES.indexOf(name);
		const { camera } = this.view;
		if (this.mode === 'translate') return camera.project(along(at, axes[k], 0.6 * ARROW * pixel));
		const ring = this.ring(axes[k], RING * pixel).sort((a, b) => dot(b, camera.back) - dot(a, camera.back));
		return camera.project(add(at, ring[Math.floor(PIECES / 8)]));
	}
}
