// Drawing a robot: strokes become bones, joints and surfaces on the server, which says what came of them.
// While it is open the page shows the sketch in place of the scene, and the surface editor edits the sketch's surfaces.
import { along, distance, dot, mix } from '../draw/math.js';
import { JointEditor } from './sketch_joints.js';
import { SketchLines } from './sketch_lines.js';
import { SketchPanel } from './sketch_panel.js';

// Ends of strokes are joined within so many pixels, and what is clicked is looked for within so many.
const SNAP = 14;
// Points of a stroke that is sent, and the least way between two of them, pixels.
const MAX_POINTS = 400;
const STEP = 3;
// A press that moves less is a click, pixels.
const CLICK = 6;
const VIEWS = ['top', 'front', 'left', null];
// What an empty sketch shows: room for a person on the floor.
const ROOM = [[-0.6, -0.8, 0], [0.6, 0.8, 1.9]];

export class SketchPage {
	constructor(view, connection, section, box, hint, hooks) {
		Object.assign(this, { view, connection, hooks, active: false, opened: false, tool: 'bones', bone: null, node: null, gesture: 1e6, stroke: null });
		this.joints = new JointEditor(this);
		this.lines = new SketchLines(this);
		this.panel = new SketchPanel(this, section, box, hint);
		view.addEventListener('drawing', () => this.active && this.lines.draw());
	}

	// ---- what the server says

	set(sketch) {
		this.sketch = sketch;
		this.places = new Map(sketch.nodes.map(({ id, xyz }) => [id, xyz]));
		if (this.node !== null && !this.places.has(this.node)) this.node = null;
		if (!this.boneOf(this.bone)) this.bone = null;
		this.panel.render();
		if (this.active) this.hooks.show();
	}

	boneOf(name) { return this.sketch?.bones.find((bone) => bone.name === name); }

	// The picture that the rest of the page shows: of the sketch while it is open, else the one of the scene.
	shown(picture) {
		if (!this.active || !this.sketch) return picture;
		const { name, bones, undo, redo } = this.sketch;
		const links = bones.map((bone) => ({ name: bone.name, parent: null, surfaces: bone.surfaces }));
		const rest = { objects: [], hidden_objects: 0, movement: null, can_follow: false, has_geometry: false };
		return { ...picture, ...rest, robot: name, robot_number: 'sketch', links, undo, redo };
	}

	// A command of the surface editor: for the sketch while it is open.
	routed(command) {
		if (!this.active || command.do !== 'edit') return command;
		return { do: 'sketch', ask: 'edit', gesture: command.gesture, edit: command.edit };
	}

	edit(edit, key = null) {
		const command = { do: 'sketch', ask: 'edit', gesture: this.gesture, edit };
		if (key) this.connection.sendLast(key, command);
		else this.connection.send({ ...command, gesture: ++this.gesture });
	}

	ask(what) { this.connection.send({ do: 'sketch', ask: what }); }

	// ---- open and closed

	open(active) {
		if (active === this.active) return;
		this.active = active;
		this.opened = true;
		const { view } = this;
		document.body.classList.toggle('sketching', active);
		view.guide = () => (active ? this.corners() : []);
		view.tool = active ? this : null;
		this.setPanes(false);
		this.panel.setPanes(false);
		this.hooks.show();
		view.look(active ? 'front' : 'home', false);
		this.panel.render();
		if (active) this.panel.section.scrollIntoView();
	}

	// The drawn robot takes the place of the one in the scene.
	use() {
		this.ask('use');
		this.open(false);
	}

	setTool(tool) {
		this.tool = tool;
		this.joints.drawing = false;
		this.panel.render();
		this.view.redraw();
	}

	setPanes(on) {
		this.view.setPanes(on ? VIEWS : null);
		if (!on) this.view.camera.parallel = this.active;
		document.body.classList.toggle('panes', on);
	}

	// A surface can be held to change its shape, as in the scene.
	get holds() { return this.tool === 'surfaces'; }

	corners() {
		const nodes = [...this.places.values()];
		return nodes.length > 2 ? nodes : [...nodes, ...ROOM];
	}

	select({ bone = null, node = null }) {
		Object.assign(this, { bone, node });
		this.panel.render();
		this.view.redraw();
	}

	remove() {
		if (this.bone) this.edit({ of: 'remove_bone', bone: this.bone });
	}

	// ---- places on the screen

	// Where a place of the canvas is in space: on a plane across the view, through a point.
	spot(at, through = [0, 0, 0]) {
		const { camera } = this.view;
		const { from, way } = camera.ray(at);
		return along(from, way, (dot(camera.back, through) - dot(camera.back, from)) / dot(camera.back, way));
	}

	nodeAt(at, reach = SNAP) {
		let [best, found] = [reach, null];
		for (const [id, xyz] of this.places) {
			const place = this.view.project(xyz);
			const away = place ? Math.hypot(place[0] - at[0], place[1] - at[1]) : Infinity;
			if (away < best) [best, found] = [away, id];
		}
		return found;
	}

	boneAt(at) {
		let [best, found] = [SNAP, null];
		for (const bone of this.sketch.bones) {
			const [a, b] = bone.ends.map((end) => this.view.project(this.places.get(end)));
			const way = [b[0] - a[0], b[1] - a[1]];
			const share = ((at[0] - a[0]) * way[0] + (at[1] - a[1]) * way[1]) / (way[0] ** 2 + way[1] ** 2 || 1);
			const t = Math.min(1, Math.max(0, share));
			const away = Math.hypot(a[0] + t * way[0] - at[0], a[1] + t * way[1] - at[1]);
			if (away < best) [best, found] = [away, bone.name];
		}
		return found;
	}

	// ---- the tool: what a finger does

	press(at) {
		// In the free one of four views one only looks.
		if (this.tool === 'look' || !this.view.camera.parallel || !this.hooks.editing()) return false;
		this.start = at;
		this.moved = false;
		this.held = null;
		if (this.tool === 'joints' && !this.joints.drawing) this.held = this.joints.press(at);
		if (this.tool === 'move') this.held = this.nodeAt(at, 1.5 * SNAP);
		if (this.held !== null) this.gesture += 1;
		const draws = this.tool === 'bones' || this.tool === 'surfaces' || this.joints.drawing;
		this.stroke = draws ? [at] : null;
		return true;
	}

	move(at, event) {
		this.moved ||= Math.hypot(at[0] - this.start[0], at[1] - this.start[1]) > CLICK;
		if (!this.moved) return;
		if (this.tool === 'move' && this.held !== null) this.moveNode(at);
		else if (this.tool === 'joints' && this.held !== null) this.joints.drag(this.held, at, event.altKey);
		else if (this.stroke) {
			const last = this.stroke.at(-1);
			if (Math.hypot(at[0] - last[0], at[1] - last[1]) >= STEP) this.stroke.push(at);
		}
		this.view.redraw();
	}

	release(at) {
		const { stroke, moved, tool } = this;
		if (stroke && moved) this.finish([...stroke, at], tool);
		else if (!moved) this.click(at);
		this.cancel();
	}

	cancel() {
		this.stroke = null;
		this.held = null;
		this.view.redraw();
	}

	moveNode(at) {
		const xyz = this.spot(at, this.places.get(this.held));
		this.edit({ of: 'move_node', node: this.held, xyz }, 'move_node');
	}

	click(at) {
		if (this.tool === 'surfaces') {
			this.view.dispatchEvent(new CustomEvent('pick', { detail: this.view.pick(at) }));
			return;
		}
		const node = this.nodeAt(at);
		// At a joint: the bone that moves there.
		const moving = node === null ? null : this.sketch.bones.filter((bone) => bone.near === node);
		const bone = moving?.length ? moving[(moving.findIndex((one) => one.name === this.bone) + 1) % moving.length].name : this.boneAt(at);
		this.select({ bone, node });
	}

	finish(places, tool) {
		const { camera } = this.view;
		const points = thinned(places).map((at) => this.spot(at));
		const normal = camera.back;
		if (tool === 'bones') this.edit({ of: 'stroke', points, normal, snap: SNAP * camera.pixel([0, 0, 0]) });
		else if (tool === 'surfaces') this.edit({ of: 'ellipse', points, normal, superovoid: this.panel.superovoid });
		else if (this.joints.drawing) this.joints.draw(points[0], points.at(-1));
	}

	// The length of everything, for what is drawn in proportion.
	get size() {
		const nodes = [...this.places.values()];
		return nodes.length > 1 ? Math.max(...nodes.map((node) => distance(node, nodes[0]))) : 1;
	}

	middle(bone) { return mix(...bone.ends.map((end) => this.places.get(end)), 0.5); }
}

// As many points as may be sent, with the last one.
function thinned(places) {
	const step = Math.max(1, Math.ceil(places.length / MAX_POINTS));
	return places.filter((_, k) => k % step === 0 || k === places.length - 1);
}

