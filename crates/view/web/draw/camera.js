// A camera that looks at a point from a direction, and glides to where it is told to be.
import { add, along, clamp, cross, dot, mix, multiply, orthographic, perspective, scale, sub, viewMatrix } from './math.js';

// Half the height of the field of view at distance 1: 35° in all.
const HALF = Math.tan((35 / 2 / 180) * Math.PI);
// Time in which two thirds of the way to the goal are made, s.
const GLIDE = 0.055;
const STEEPEST = Math.PI / 2;
// The views as angles from x towards y, and above the floor; x is forward.
const VIEWS = {
	home: [-2.4307, 0.4508],
	front: [0, 0],
	back: [Math.PI, 0],
	left: [Math.PI / 2, 0],
	right: [-Math.PI / 2, 0],
	top: [-Math.PI / 2, STEEPEST],
	bottom: [-Math.PI / 2, -STEEPEST],
};

export class Camera {
	constructor() {
		this.goal = { target: [0, 0, 0], distance: 1, azimuth: VIEWS.home[0], elevation: VIEWS.home[1] };
		this.now = structuredClone(this.goal);
		// The part of the canvas it draws, in pixels of the page, and whether lines of sight are parallel.
		this.origin = [0, 0];
		this.size = [1, 1];
		this.parallel = false;
		this.reach = 1;
		this.update(1);
	}

	// Goes on towards the goal; true while it moves.
	update(seconds) {
		const { goal, now } = this;
		const share = 1 - Math.exp(-seconds / GLIDE);
		const turn = Math.abs(goal.azimuth - now.azimuth) + Math.abs(goal.elevation - now.elevation);
		const shift = Math.hypot(...sub(goal.target, now.target)) + Math.abs(goal.distance - now.distance);
		const isThere = turn < 1e-4 && shift < 1e-4 * goal.distance;
		this.moving = turn > 0 || shift > 0;
		const near = isThere ? 1 : share;
		now.azimuth = isThere ? goal.azimuth : now.azimuth + (goal.azimuth - now.azimuth) * near;
		now.elevation = isThere ? goal.elevation : now.elevation + (goal.elevation - now.elevation) * near;
		now.distance = isThere ? goal.distance : now.distance * (goal.distance / now.distance) ** near;
		now.target = isThere ? [...goal.target] : mix(now.target, goal.target, near);
		this.compute();
		return this.moving;
	}

	compute() {
		const { azimuth, elevation, distance, target } = this.now;
		const [c, s] = [Math.cos(azimuth), Math.sin(azimuth)];
		this.back = [Math.cos(elevation) * c, Math.cos(elevation) * s, Math.sin(elevation)];
		this.right = [-s, c, 0];
		this.up = cross(this.back, this.right);
		this.position = along(target, this.back, distance);
		this.target = target;
		const [near, far] = [distance / 100, 40 * distance + 4 * this.reach];
		const view = viewMatrix(this.position, this.right, this.up, this.back);
		// What is as large at the target in both.
		const lens = this.parallel ? orthographic(HALF * distance, this.aspect, far) : perspective(HALF, this.aspect, near, far);
		this.toScreen = multiply(lens, view);
	}

	get aspect() { return this.size[0] / this.size[1]; }

	// The turn from the world to the camera, for directions.
	toCamera(v) { return [dot(this.right, v), dot(this.up, v), dot(this.back, v)]; }

	// Where a point is on the canvas, in pixels of the page; none when it is behind the eye.
	project(point) {
		const m = this.toScreen;
		const [x, y, w] = [0, 1, 3].map((r) => m[r] * point[0] + m[4 + r] * point[1] + m[8 + r] * point[2] + m[12 + r]);
		if (w <= 0) return null;
		return [this.origin[0] + ((x / w + 1) / 2) * this.size[0], this.origin[1] + ((1 - y / w) / 2) * this.size[1]];
	}

	// The ray through a place on the canvas.
	ray([x, y]) {
		const [across, high] = [(2 * (x - this.origin[0])) / this.size[0] - 1, 1 - (2 * (y - this.origin[1])) / this.size[1]];
		const sideways = scale(this.right, across * HALF * this.aspect);
		if (this.parallel) {
			const aside = add(sideways, scale(this.up, high * HALF));
			return { from: along(this.position, aside, this.now.distance), way: scale(this.back, -1) };
		}
		const way = sub(add(sideways, scale(this.up, high * HALF)), this.back);
		return { from: this.position, way };
	}

	// Metres of a pixel at a point.
	pixel(point) {
		if (this.parallel) return (2 * HALF * this.now.distance) / this.size[1];
		return (2 * HALF * Math.max(1e-9, dot(sub(this.position, point), this.back))) / this.size[1];
	}

	// ---- what fingers do, in pixels

	rotate(dx, dy) {
		const perPixel = (1.6 * Math.PI) / this.size[1];
		this.goal.azimuth -= dx * perPixel;
		this.goal.elevation = clamp(this.goal.elevation + dy * perPixel, -STEEPEST, STEEPEST);
	}

	pan(dx, dy) {
		const step = (2 * HALF * this.goal.distance) / this.size[1];
		this.goal.target = along(along(this.goal.target, this.right, -dx * step), this.up, dy * step);
	}

	// Nearer by a factor, towards a place on the canvas.
	zoom(factor, at = [0, 1].map((k) => this.origin[k] + this.size[k] / 2)) {
		const distance = clamp(this.goal.distance * factor, 1e-3 * this.reach, 50 * this.reach);
		const by = distance / this.goal.distance;
		const { from, way } = this.ray(at);
		const point = along(from, way, dot(sub(from, this.goal.target), this.back));
		this.goal.target = mix(point, this.goal.target, by);
		this.goal.distance = distance;
	}

	// ---- views

	// Shows all of the points from a standard direction. Margins are pixels that other things cover: left, top, right, bottom.
	look(view, points, margins, smoothly) {
		const angles = VIEWS[view];
		if (!angles || !points.length) return;
		const { goal } = this;
		const turns = Math.round((goal.azimuth - angles[0]) / (2 * Math.PI));
		[goal.azimuth, goal.elevation] = [angles[0] + 2 * Math.PI * turns, angles[1]];
		const kept = this.now;
		this.now = structuredClone(goal);
		this.compute();
		Object.assign(goal, this.fit(points, margins));
		this.now = smoothly ? kept : structuredClone(goal);
		this.compute();
	}

	// The target and distance at which all points are on the screen, within the margins. Seen from the camera, a point
	// x (right), y (up), z (towards the eye) is left of the right edge when x - cx ≤ r (d - z), with r the slope of that edge:
	// so the two edges of each direction bound d and the middle c.
	fit(points, [left, top, right, bottom]) {
		const [width, height] = this.size;
		const across = HALF * this.aspect;
		const edge = (pixels, all, half) => half * Math.max(0.15, 1 - (2 * pixels) / all);
		const slopes = [
			[edge(right, width, across), edge(left, width, across)],
			[edge(top, height, HALF), edge(bottom, height, HALF)],
		];
		const seen = points.map((point) => this.toCamera(point));
		const most = slopes.map(([ahead, behind], k) => [
			Math.max(...seen.map((p) => p[k] + ahead * p[2])),
			Math.max(...seen.map((p) => -p[k] + behind * p[2])),
		]);
		const nearest = Math.max(...seen.map((p) => p[2]));
		const eye = Math.max(
			...slopes.map(([ahead, behind], k) => (most[k][0] + most[k][1]) / (ahead + behind)),
			nearest + 1e-3 * this.reach,
		);
		const [x, y] = slopes.map(([ahead, behind], k) => (most[k][0] - ahead * eye + (behind * eye - most[k][1])) / 2);
		// The target is at the depth of the middle of what is seen.
		const z = (nearest + Math.min(...seen.map((p) => p[2]))) / 2;
		const target = add(add(scale(this.right, x), scale(this.up, y)), scale(this.back, z));
		return { target, distance: eye - z };
	}
}
