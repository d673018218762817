// The scene in three dimensions: links, surfaces, objects, their colours, the camera, what is picked and moved.
import { Camera } from './camera.js';
import { Gestures } from './gestures.js';
import { Handles } from './handles.js';
import { IDENTITY, add, along, distance, dot, place, scale, seenFrom, sub, toWorld, turn, turnFromZ, unit } from './math.js';
import { Mesh } from './meshes.js';
import { boxOf, cornerShare, packShape } from './patches.js';
import { Renderer } from './renderer.js';
import { THEMES, rgb, squared } from './themes.js';

// Numbers of surfaces in the id buffer begin here; those below are handles.
const FIRST_ID = 16;
const GLASS = 0.38;
const VISUAL = 0.34;
const NO_GLOW = [0, 0, 0];
// What covers the edges of the canvas: title, buttons and player, in pixels.
const MARGINS = [28, 84, 28, 112];

export class Scene3d extends EventTarget {
	constructor(canvas) {
		super();
		this.canvas = canvas;
		this.renderer = new Renderer(canvas);
		this.camera = new Camera();
		// Four cameras with a quarter of the canvas each, or none; `camera` is the one that was used last.
		this.panes = null;
		// Points that are shown beside all surfaces.
		this.guide = () => [];
		this.handles = new Handles(this);
		this.gestures = new Gestures(this);
		this.links = [];
		this.bodies = new Map();
		this.visuals = [];
		this.show = { surfaces: true, objects: true, visuals: false, glass: false, outside: true, grid: true, frames: false };
		this.states = new Map();
		this.highlighted = [];
		this.fps = 0;
		this.theme = 'light';
		new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
		this.resize();
		canvas.addEventListener('webglcontextlost', (event) => {
			event.preventDefault();
			this.lost = true;
		});
		canvas.addEventListener('webglcontextrestored', () => location.reload());
		requestAnimationFrame((time) => this.tick(time));
	}

	get colors() { return THEMES[this.theme]; }

	setTheme(theme) {
		this.theme = theme;
		this.redraw();
	}

	resize() {
		const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
		if (!width || !height) return;
		this.renderer.resize(width, height, Math.min(devicePixelRatio, 2));
		this.layOut();
		if (this.untouched) this.look('home', false);
		// Drawn at once: a canvas of another size is empty.
		this.redraw();
		if (this.scene) this.draw();
	}

	redraw() { this.dirty = true; }

	get cameras() { return this.panes ?? [this.camera]; }

	// Which part of the canvas each camera draws.
	layOut() {
		const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
		const halves = [Math.round(width / 2), Math.round(height / 2)];
		this.cameras.forEach((camera, k) => {
			const [right, low] = [k % 2, Math.floor(k / 2)];
			camera.origin = [right * halves[0], low * halves[1]];
			camera.size = this.panes ? [right ? width - halves[0] : halves[0], low ? height - halves[1] : halves[1]] : [width, height];
			camera.compute();
		});
	}

	// Four views at once, by name, none for the free one; or one view again, that of the free one.
	setPanes(names) {
		if (Boolean(names) === Boolean(this.panes)) return;
		this.panes = names && names.map((name) => (name ? new Camera() : this.camera));
		const free = this.camera;
		names?.forEach((name, k) => {
			this.camera = this.panes[k];
			this.camera.parallel = Boolean(name);
		});
		this.camera = free;
		this.layOut();
		names?.forEach((name, k) => {
			this.camera = this.panes[k];
			this.look(name ?? 'home', false);
		});
		this.camera = free;
		this.redraw();
	}

	// The camera of a place becomes the one that is used.
	activate(at) {
		if (!this.panes) return;
		const isIn = (camera) => camera.origin.every((x, k) => at[k] >= x && at[k] < x + camera.size[k]);
		const camera = this.panes.find(isIn) ?? this.camera;
		if (camera === this.camera) return;
		this.camera = camera;
		// What is picked is what was drawn last: that of this camera.
		if (this.scene) this.draw();
		this.redraw();
	}

	tick(time) {
		requestAnimationFrame((next) => this.tick(next));
		if (this.lost) return;
		const start = performance.now();
		this.dispatchEvent(new Event('tick'));
		const passed = Math.min(0.1, (time - (this.before ?? time)) / 1000);
		for (const camera of this.cameras) if (camera.update(passed)) this.dirty = true;
		this.before = time;
		if (this.dirty) {
			this.dirty = false;
			this.draw();
			this.drawn = (this.drawn ?? 0) + 1;
			// Script time of a frame, ms, smoothed: without what the browser and the graphics card do after it.
			this.work = 0.95 * (this.work ?? 0) + 0.05 * (performance.now() - start);
		}
		if (time - (this.counted ?? 0) > 1000) {
			this.fps = Math.round((1000 * (this.drawn ?? 0)) / (time - (this.counted ?? 0)));
			this.counted = time;
			this.drawn = 0;
		}
	}

	// ---- contents

	setPicture(picture) {
		if (this.robotNumber !== picture.robot_number || this.links.length !== picture.links.length) {
			for (const body of this.bodies.values()) this.setSurfaces(body, []);
			this.bodies.clear();
			this.select(null);
			this.setOutside(null);
			this.links = picture.links.map(() => IDENTITY);
			this.robotNumber = picture.robot_number;
			this.extent = null;
			this.fresh = true;
		}
		const branches = branchesOf(picture.links);
		const kept = new Set();
		picture.links.forEach((link, i) => {
			kept.add(link.name);
			const body = this.body(link.name, { link: i, branch: branches[i] });
			this.setSurfaces(body, link.surfaces, (index) => ({ link: link.name, index }));
		});
		for (const object of picture.objects) {
			kept.add(object.name);
			const body = this.body(object.name, { own: true });
			body.hue = object.hue;
			body.link = object.link == null ? -1 : picture.links.findIndex((link) => link.name === object.link);
			if (!this.isHeld({ object: object.name })) body.pose = object.pose;
			this.setSurfaces(body, object.surfaces, (index) => ({ object: object.name, index }));
		}
		for (const [name, body] of this.bodies) {
			if (kept.has(name)) continue;
			this.setSurfaces(body, []);
			this.bodies.delete(name);
		}
		if (this.selected && !this.surfaceOf(this.selected)) this.select(null);
		this.gridPlace = null;
		this.redraw();
	}

	body(name, fields) {
		if (!this.bodies.has(name)) this.bodies.set(name, { name, pose: IDENTITY, surfaces: [], ...fields });
		return this.bodies.get(name);
	}

	setSurfaces(body, surfaces, targetOf) {
		while (body.surfaces.length > surfaces.length) body.surfaces.pop().mesh?.dispose();
		surfaces.forEach((given, index) => {
			const surface = (body.surfaces[index] ??= { body, target: targetOf(index) });
			if (this.isHeld(surface.target)) return;
			surface.pose = given.pose;
			surface.dented = given.hull?.of === 'hull';
			this.setShape(surface, given.shape, given.hull);
		});
	}

	// A shape by its numbers, or by the triangles that stand for it.
	setShape(surface, shape, triangles = null) {
		const drawn = triangles ?? shape;
		surface.shape = shape;
		surface.packed = packShape(drawn);
		surface.box = boxOf(drawn);
		const key = drawn.vertices ?? null;
		// The same triangles come as another list with each picture.
		if (!sameNumbers(key, surface.vertices)) {
			surface.mesh?.dispose();
			surface.mesh = key && new Mesh(this.renderer.gl, drawn);
			surface.vertices = key;
		}
		this.redraw();
	}

	// Visual meshes: { link, pose, vertices }, three vertices a triangle.
	setVisuals(visuals) {
		for (const { mesh } of this.visuals) mesh.dispose();
		this.visuals = visuals.map(({ vertices, ...rest }) => ({ ...rest, mesh: new Mesh(this.renderer.gl, { vertices }) }));
		this.redraw();
	}

	// What of a link's mesh sticks out of its surfaces: { link, vertices }, three vertices a triangle; or nothing.
	setOutside(outside) {
		this.outside?.mesh.dispose();
		this.outside = outside && { link: outside.link, mesh: new Mesh(this.renderer.gl, outside) };
		this.redraw();
	}

	// The surface a finger is on is not put back to where the server still has it.
	isHeld(target) { return Boolean(this.held) && sameTarget(this.held, target); }

	surfaceOf(target) { return target && this.bodies.get(target.link ?? target.object)?.surfaces[target.index ?? 0]; }

	get surfaceCount() {
		let count = 0;
		for (const body of this.bodies.values()) if (!body.own) count += body.surfaces.length;
		return count;
	}

	setPoses(poses) {
		poses.forEach((pose, i) => {
			if (this.links[i]) this.links[i] = { xyz: pose.slice(0, 3), quat: pose.slice(3) };
		});
		if (this.fresh) {
			this.fresh = false;
			this.gridPlace = null;
			this.look('home', false);
			this.untouched = true;
		}
		this.redraw();
	}

	// The frame of a body: of its link, or where it stands in the world.
	bodyPose(body) {
		if (!body.own) return this.links[body.link];
		return body.link < 0 ? body.pose : place(this.links[body.link], body.pose);
	}

	// ---- one picture

	// states: name → 'contact' or 'close'; highlighted: names.
	paint(states = this.states, highlighted = this.highlighted) {
		this.states = states;
		this.highlighted = highlighted;
		this.redraw();
	}

	draw() {
		// The one that is used comes last, so that it can be picked from.
		const used = this.camera;
		for (const camera of this.cameras) if (camera !== used) this.drawWith(camera);
		this.drawWith(used);
		this.dispatchEvent(new Event('drawn'));
	}

	drawWith(camera) {
		this.camera = camera;
		const { renderer, colors } = this;
		this.order = [];
		renderer.solid.clear();
		renderer.glass.clear();
		this.scene = {
			toScreen: camera.toScreen, part: [...camera.origin, ...camera.size],
			// From far away lines of sight are parallel.
			eye: camera.parallel ? along(camera.position, camera.back, 1e4 * camera.now.distance) : camera.position, background: rgb(colors.background),
			sun: unit(add(add(scale(camera.right, -0.42), scale(camera.up, 0.75)), scale(camera.back, 0.51))),
			sky: colors.sky, ground: colors.ground, dotRim: colors.dotRim,
			solid: [], glass: [], visual: [], outside: [], grid: this.show.grid ? this.gridScene() : null,
		};
		const glass = [];
		for (const body of this.bodies.values()) this.drawBody(body, glass);
		glass.sort((a, b) => b.depth - a.depth);
		for (const { draw } of glass) draw();
		if (this.show.visuals) {
			for (const { link, pose, mesh } of this.visuals) {
				this.scene.visual.push({ mesh, pose: place(this.links[link], pose), color: squared(colors.visual), alpha: VISUAL, glow: NO_GLOW, id: 0 });
			}
		}
		if (this.show.outside && this.outside) {
			const { link, mesh } = this.outside;
			this.scene.outside.push({ mesh, pose: this.links[link], color: squared(colors.outside), alpha: 1, glow: NO_GLOW, id: 0 });
		}
		renderer.frames.clear();
		if (this.show.frames) this.drawFrames();
		renderer.squares.clear();
		renderer.handleLines.clear();
		this.handles.draw(renderer.handleLines, renderer.squares);
		this.dispatchEvent(new Event('drawing'));
		renderer.draw(this.scene);
	}

	drawBody(body, glass) {
		if (!(body.own ? this.show.objects : this.show.surfaces)) return;
		const { colors, renderer, scene } = this;
		const frame = this.bodyPose(body);
		const state = this.states.get(body.name);
		const own = body.hue ?? (body.own ? colors.object : colors.branches[body.branch % 4]);
		const color = squared(state === 'contact' ? colors.red : state === 'close' ? colors.orange : own);
		for (const surface of body.surfaces) {
			const chosen = this.selected && sameTarget(surface.target, this.selected);
			const glow = chosen ? colors.chosen : this.highlighted.includes(body.name) ? colors.lit : NO_GLOW;
			const clear = this.show.glass && !chosen;
			const id = FIRST_ID + this.order.push(surface) - 1;
			const pose = place(frame, surface.pose);
			surface.world = pose;
			const { packed, mesh } = surface;
			const put = (batch, meshes, alpha) => {
				if (packed) batch.push(this.pixels(surface), ...this.endless(surface, packed, pose), color, alpha, glow, id);
				else if (mesh) meshes.push({ mesh, pose, color, alpha, glow, id });
			};
			if (clear) glass.push({ depth: dot(sub(this.camera.position, pose.xyz), this.camera.back), draw: () => put(renderer.glass, scene.glass, GLASS) });
			else put(renderer.solid, scene.solid, 1);
		}
	}

	// About half the size of a surface on the screen.
	pixels({ box, world }) { return box ? (Math.max(...box.half) / this.camera.pixel(world.xyz)) * this.renderer.ratio : 0; }

	// A half-space is drawn as a square of its plane below the scene, a few times as large as the scene.
	endless(surface, packed, pose) {
		if (surface.shape.type !== 'half_space') return [packed, pose];
		const normal = unit(turn(pose.quat, surface.shape.normal));
		const on = add(pose.xyz, scale(normal, surface.shape.offset));
		const { middle, reach } = this.bounds();
		const size = 3 * Math.max(reach, 0.01);
		const at = sub(middle, scale(normal, dot(sub(middle, on), normal)));
		return [{ ...packed, radii: [size, size, 0, 0] }, { xyz: at, quat: turnFromZ(normal) }];
	}

	drawFrames() {
		const size = 0.04 * this.bounds().reach;
		const axes = [[size, 0, 0], [0, size, 0], [0, 0, size]];
		const colors = [[0.85, 0.2, 0.2, 1], [0.15, 0.65, 0.2, 1], [0.2, 0.4, 0.95, 1]];
		for (const pose of this.links) axes.forEach((axis, k) => this.renderer.frames.push(pose.xyz, toWorld(pose, axis), colors[k], 2));
	}

	gridScene() {
		const { colors } = this;
		if (!this.gridPlace) {
			const { middle, wide, least } = this.bounds();
			if (!least) return null;
			const cell = 10 ** Math.floor(Math.log10(Math.max(...wide) / 4));
			const round = (x) => Math.round(x / cell) * cell;
			this.gridPlace = [round(middle[0]), round(middle[1]), Math.floor(least[2] / cell) * cell, cell];
		}
		return { middle: this.gridPlace, fine: [...rgb(colors.grid), 1], strong: [...rgb(colors.gridStrong), 1] };
	}

	// ---- how large everything is

	// The robot's surfaces over the whole of its movement: the camera begins with a view of all of it.
	setExtent(extent) {
		const first = extent && !this.extent;
		this.extent = extent;
		if (!first) return;
		this.gridPlace = null;
		this.look('home', false);
		this.untouched = true;
	}

	// Points around all that is drawn: the middles of the faces and the corners of each surface's box.
	outline() {
		const points = [];
		if (this.extent) for (const corner of CORNERS) points.push(corner.map((side, k) => this.extent[side > 0 ? 1 : 0][k]));
		points.push(...this.guide());
		for (const body of this.bodies.values()) {
			const frame = this.bodyPose(body);
			for (const { box, pose, shape } of body.surfaces) {
				if (!box) continue;
				const world = place(frame, pose);
				const share = cornerShare(shape);
				const put = (side, part) => points.push(toWorld(world, box.middle.map((x, k) => x + part * side[k] * box.half[k])));
				for (const corner of CORNERS) put(corner, share);
				for (let k = 0; k < 3; k++) for (const side of [-1, 1]) put([0, 1, 2].map((i) => (i === k ? side : 0)), 1);
			}
		}
		return points;
	}

	// Middle, half diagonal, widths and least corner of the box around everything.
	bounds() {
		const points = this.outline();
		if (!points.length) return { middle: [0, 0, 0], reach: 1, least: null };
		const least = [0, 1, 2].map((k) => points.reduce((m, p) => Math.min(m, p[k]), Infinity));
		const most = [0, 1, 2].map((k) => points.reduce((m, p) => Math.max(m, p[k]), -Infinity));
		return { middle: scale(add(least, most), 0.5), reach: distance(least, most) / 2, wide: sub(most, least), least };
	}

	get size() { return 2 * this.bounds().reach; }

	look(view, smoothly = true) {
		const points = this.outline();
		this.untouched = false;
		this.camera.reach = this.bounds().reach;
		// On a small canvas what covers it is smaller, too.
		const share = Math.min(1, this.camera.size[1] / 560);
		this.camera.look(view, points, MARGINS.map((m) => m * share), smoothly);
		this.redraw();
	}

	// ---- picking and moving

	// What is at a place of the canvas: { link, index }, { object, index } or nothing.
	pick(at) {
		if (!this.scene) return null;
		const id = this.renderer.pick(this.scene, at, 0, 'surfaces');
		return id >= FIRST_ID ? this.order[id - FIRST_ID].target : null;
	}

	pickHandle(at, reach) {
		if (this.dirty) this.draw();
		return this.renderer.pick(this.scene, at, reach, 'handles');
	}

	select(target) {
		this.selected = target;
		this.setHandles(target ? this.handleMode : null);
	}

	// Mode: 'translate', 'rotate' or 'none'.
	setHandles(mode) {
		this.handleMode = mode ?? this.handleMode;
		if (!mode || mode === 'none' || !this.surfaceOf(this.selected)) this.handles.detach();
		else this.handles.attach(this.selected, mode);
		this.redraw();
	}

	// A surface moves on its link, an object as a whole, in the world or on the link that carries it. A link that is dragged to
	// a goal is where the handles are, though the robot may not get there.
	worldPose(target) {
		if (target.goal) return this.goalPose ?? this.links[this.bodies.get(target.goal).link];
		const surface = this.surfaceOf(target);
		const frame = this.bodyPose(surface.body);
		return target.link ? place(frame, surface.pose) : frame;
	}

	setWorldPose(target, pose) {
		if (target.goal) {
			this.goalPose = pose;
			return;
		}
		const surface = this.surfaceOf(target);
		const { body } = surface;
		if (target.link) surface.pose = seenFrom(this.bodyPose(body), pose);
		else body.pose = body.link < 0 ? pose : seenFrom(this.links[body.link], pose);
	}

	// The pose of what is selected, as it is sent.
	poseOf(target) {
		const surface = this.surfaceOf(target);
		return surface && (target.link ? surface.pose : surface.body.pose);
	}

	project(point) { return this.camera.project(point); }
}

const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));

export function sameTarget(a, b) {
	return Boolean(a && b) && a.link === b.link && a.object === b.object && (a.index ?? 0) === (b.index ?? 0);
}

function sameNumbers(a, b) {
	return a === b || Boolean(a && b && a.length === b.length && a.every((x, i) => x === b[i]));
}

// Which arm of the robot a link belongs to: the parts of the tree below the first fork.
function branchesOf(links) {
	const children = links.map(() => []);
	links.forEach((link, i) => link.parent != null && children[link.parent].push(i));
	let fork = 0;
	while (children[fork]?.length === 1) fork = children[fork][0];
	const branches = links.map(() => 0);
	const mark = (i, branch) => {
		branches[i] = branch;
		children[i].forEach((child) => mark(child, branch));
	};
	(children[fork] ?? []).forEach((child, branch) => mark(child, branch));
	return branches;
}
