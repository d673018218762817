// The surface that was picked: its parameters, its pads, its handles.
import { degrees, anglesOf, fromAngles, radians, turn } from '../draw/math.js';
import { sameTarget } from '../draw/scene3d.js';
import { button, element } from './dom.js';
import { listenForHolds } from './hold.js';
import { Pad } from './pad.js';
import { converted, fieldsOf, hasSizes, isSuperquadric, withValue } from './shapes.js';

// Exponents and tapers a finger can reach; the ends of their ranges are no surfaces.
const EXPONENTS = [0.02, 1.98];
const TAPERS = [-0.9, 0.9];

export class Editor extends EventTarget {
	constructor(view, connection, elements) {
		super();
		Object.assign(this, { view, connection, elements, gesture: 0 });
		// Handles may be on a link that is dragged to a goal: that edits nothing.
		const isOurs = () => this.target && !view.handles.object?.goal;
		view.addEventListener('drag', (event) => isOurs() && (event.detail ? this.begin() : this.done()));
		view.addEventListener('moved', () => isOurs() && this.sendPose(this.view.poseOf(this.target)));
		view.addEventListener('pick', (event) => this.select(event.detail));
		listenForHolds(this);
		this.render();
	}

	setPicture(picture) {
		this.picture = picture;
		if (!this.busy) {
			if (this.target && !this.surface()) this.select(null);
			else this.render();
		}
		this.selectNext();
	}

	surface(target = this.target) {
		if (!target || !this.picture) return null;
		const { links, objects } = this.picture;
		const owner = target.link ? links.find((link) => link.name === target.link) : objects.find((object) => object.name === target.object);
		return owner?.surfaces[target.index ?? 0] ?? null;
	}

	// The link that carries the selected object.
	get carrier() { return this.picture?.objects.find((object) => object.name === this.target?.object)?.link; }

	select(target) {
		this.target = target;
		this.view.select(target);
		this.shape = null;
		this.render();
		this.dispatchEvent(new Event('selected'));
		if (target) {
			this.elements.section.open = true;
			this.elements.section.scrollIntoView({ block: 'nearest' });
		}
	}

	// What was just added is selected when it is there.
	selectNext() {
		if (!this.next || !this.surface(this.next)) return;
		const target = this.next;
		this.next = null;
		this.select(target);
	}

	// All surfaces in order, for the keyboard.
	step(by) {
		const all = (this.picture?.links ?? []).flatMap((link) => link.surfaces.map((_, index) => ({ link: link.name, index })));
		if (!all.length) return;
		const at = all.findIndex((target) => sameTarget(target, this.target));
		this.select(all[(at + by + all.length) % all.length]);
	}

	begin() {
		this.gesture += 1;
		this.busy = true;
		this.view.held = this.target;
	}

	done() {
		this.busy = false;
		this.view.held = null;
		// The last answer may have come while the finger was still down: then the fields are behind.
		clearTimeout(this.late);
		this.late = setTimeout(() => this.busy || this.render(), 300);
	}

	// A refused edit: every field shows again what there is, also the one that is being typed in.
	restore() {
		if (this.busy) return;
		this.key = null;
		this.render();
	}

	// ---- edits

	send(key, edit) { this.connection.sendLast(key, { do: 'edit', gesture: this.gesture, edit }); }

	edit(edit) {
		this.gesture += 1;
		this.key = null;
		this.send(edit.of, edit);
	}

	sendPose(pose) {
		const { link, index, object } = this.target;
		this.send('pose', link ? { of: 'surface_pose', link, index, pose } : { of: 'object_pose', name: object, pose });
	}

	// Another shape for what is selected: seen at once, then sent.
	change(shape) {
		this.shape = shape;
		const surface = this.view.surfaceOf(this.target);
		if (surface) this.view.setShape(surface, shape);
		const { link, index, object } = this.target;
		this.send('shape', link ? { of: 'surface_shape', link, index, shape } : { of: 'object_shape', name: object, shape });
	}

	// Another kind of shape: of about the same size, or around what has no sizes, which the server computes.
	convert(type) {
		const { shape } = this.surface();
		const { link, index, object } = this.target;
		if (hasSizes(shape)) this.change(converted(shape, this.kindOf(type)));
		else if (link) this.edit({ of: 'enclose_surface', link, index, kind: type });
		else this.edit({ of: 'enclose_object', name: object, kind: type });
	}

	remove() {
		if (!this.target || !this.picture?.editing) return;
		const { link, index, object } = this.target;
		this.edit(link ? { of: 'remove_surface', link, index } : { of: 'remove_object', name: object });
		this.select(null);
	}

	addSurface() {
		const surface = this.surface();
		const { link } = this.target;
		const count = this.picture.links.find((other) => other.name === link).surfaces.length;
		const shape = hasSizes(surface.shape) ? surface.shape : { type: 'sphere', radius: Number((0.03 * this.view.size).toPrecision(2)) };
		const aside = 0.5 * (this.view.surfaceOf(this.target).box?.half[0] ?? 0.02);
		const pose = { ...surface.pose, xyz: surface.pose.xyz.map((x, i) => (i === 0 ? x + aside : x)) };
		this.edit({ of: 'add_surface', link, pose, shape });
		this.next = { link, index: count };
	}

	// ---- pads

	// The turn of the surface as the camera sees it, for the pictures on the pad.
	rotation() {
		const world = this.view.surfaceOf(this.target)?.world;
		if (!world) return (v) => v;
		return (v) => this.view.camera.toCamera(turn(world.quat, v));
	}

	makePads(shape) {
		const current = () => this.shape ?? this.surface()?.shape ?? shape;
		const hooks = { begin: () => this.begin(), done: () => this.done() };
		const exponents = new Pad({
			range: EXPONENTS, step: 0.01, names: ['exponent_xy', 'exponent_z'], ...hooks,
			preview: (xy, z) => ({ radii: current().radii, exponents: [xy, z], taper: current().taper ?? [0, 0] }),
			change: (exponent_xy, exponent_z) => this.change({ ...current(), exponent_xy, exponent_z }),
		});
		exponents.element.classList.add('wide');
		const taper = shape.type === 'superovoid' && new Pad({
			range: TAPERS, step: 0.01, names: ['taper x', 'taper y'], ...hooks,
			preview: (x, y) => ({ radii: current().radii, exponents: [current().exponent_xy, current().exponent_z], taper: [x, y] }),
			change: (x, y) => this.change({ ...current(), taper: [x, y] }),
		});
		return [exponents, taper].filter(Boolean);
	}

	setPads(pads, shape) {
		const rotation = this.rotation();
		const clamp = (x, [least, most]) => Math.min(most, Math.max(least, x));
		pads[0]?.set([clamp(shape.exponent_xy, EXPONENTS), clamp(shape.exponent_z, EXPONENTS)], rotation);
		pads[1]?.set(shape.taper.map((t) => clamp(t, TAPERS)), rotation);
	}

	// ---- the panel

	render() {
		const { box, name } = this.elements;
		const surface = this.surface();
		const key = surface && JSON.stringify([this.target, surface.shape.type, this.picture.editing, this.carrier]);
		name.textContent = surface ? `${this.target.link ?? this.target.object}${this.target.index ? ` [${this.target.index}]` : ''}` : '';
		if (!surface) {
			this.key = null;
			box.replaceChildren(element('p', { className: 'empty', textContent: 'Pick a surface to see its parameters. Hold it, and slide to another shape.' }));
			return;
		}
		if (key !== this.key) {
			this.key = key;
			this.build(box, surface);
		}
		this.fillIn(surface);
	}

	build(box, surface) {
		this.pads = [];
		this.inputs = new Map();
		box.replaceChildren(this.kindMenu(surface));
		if (isSuperquadric(surface.shape)) {
			this.pads = this.makePads(surface.shape);
			box.append(element('div', { className: 'pads', inert: !this.picture.editing }, ...this.pads.map((pad) => pad.element)));
		}
		const fields = element('div', { className: 'fields' });
		for (const [label, path, factor] of fieldsOf(this.kindOf(surface.shape.type))) {
			const read = (shown) => path.reduce((part, key) => part[key], shown.shape) * factor;
			fields.append(this.field(label, path.join('.'), read, (value) => {
				this.change(withValue(this.shape ?? this.surface().shape, path, value / factor));
			}));
		}
		this.remark = element('p', { className: 'empty' });
		box.append(fields, this.placeFields(), this.remark);
		if (this.picture.editing) box.append(this.buttons());
		this.showMode();
	}

	kindMenu(surface) {
		const now = surface.shape.of ?? surface.shape.type;
		const kinds = this.picture.shapes.map((known) => known.type);
		const menu = element('select', { disabled: !this.picture.editing }, ...[...new Set([now, ...kinds])].map((type) => new Option(type)));
		menu.setAttribute('aria-label', 'Kind of shape');
		menu.value = now;
		menu.dataset.field = 'kind';
		menu.onchange = () => {
			this.begin();
			this.convert(menu.value);
			this.done();
		};
		return menu;
	}

	// Add a button here for another thing that can be done with one surface or object.
	buttons() {
		const box = element('div', { className: 'buttons' });
		this.modes = [
			button('Move', 'Handles that move it (M); then arrow keys, Page Up and Page Down', () => this.setMode('translate'), { mode: 'translate' }),
			button('Turn', 'Handles that turn it (R); then arrow keys, Page Up and Page Down', () => this.setMode('rotate'), { mode: 'rotate' }),
		];
		box.append(...this.modes);
		const name = this.target.object;
		if (this.target.link) {
			box.append(button('Add beside', 'One more surface on this link', () => this.addSurface()));
			if (this.picture.has_geometry) box.append(button('Fit', 'Replace the collision shapes of this link by smooth surfaces that contain its mesh', () => this.fitLink(this.target.link)));
		} else if (this.carrier) {
			box.append(button('Let go', 'Leave it in the world, where it is', () => this.edit({ of: 'detach_object', name })));
		} else {
			const links = this.picture.links.map((link) => new Option(link.name));
			const menu = element('select', { title: 'Fix it to a link' }, new Option('Fix to …', ''), ...links);
			menu.onchange = () => menu.value && this.edit({ of: 'attach_object', name, link: menu.value });
			box.append(menu);
		}
		box.append(button('Remove', 'Remove it (Delete)', () => this.remove()));
		return box;
	}

	// A number with its label; read takes it from a surface, write is told another.
	field(label, name, read, write) {
		const input = element('input', { type: 'number', step: 'any', disabled: !this.picture.editing, data: { field: name } });
		input.onchange = () => {
			const value = Number(input.value);
			if (input.value === '' || !Number.isFinite(value)) return;
			this.begin();
			write(value);
			this.done();
		};
		this.inputs.set(input, read);
		return element('label', {}, label, input);
	}

	// Where it stands and how it is turned, as URDF has it: what the handles do, for the keyboard. Of what a link carries, in
	// the frame of the link.
	placeFields() {
		const fields = element('div', { className: 'fields place' });
		const change = (alter) => {
			const pose = structuredClone(this.pose());
			alter(pose);
			this.sendPose(pose);
		};
		['x', 'y', 'z'].forEach((axis, i) => {
			const read = () => 1000 * (this.pose()?.xyz[i] ?? 0);
			fields.append(this.field(`at ${axis}, mm`, `at.${axis}`, read, (value) => change((pose) => (pose.xyz[i] = value / 1000))));
		});
		['roll', 'pitch', 'yaw'].forEach((angle, i) => {
			const read = () => degrees(anglesOf(this.pose()?.quat ?? [0, 0, 0, 1])[i]);
			fields.append(this.field(`${angle}, °`, angle, read, (value) => change((pose) => {
				const angles = anglesOf(pose.quat);
				angles[i] = radians(value);
				pose.quat = fromAngles(angles);
			})));
		});
		return fields;
	}

	// The pose of what is selected, as the server has it.
	pose() {
		const { link, object } = this.target ?? {};
		return link ? this.surface()?.pose : this.picture.objects.find((other) => other.name === object)?.pose;
	}

	// The fields of a kind of shape, as the server describes them; none for a mesh.
	kindOf(type) { return this.picture.shapes.find((kind) => kind.type === type) ?? { type, fields: [] }; }

	setMode(mode) {
		this.view.setHandles(this.view.handles.object && this.view.handles.mode === mode ? 'none' : mode);
		this.showMode();
	}

	showMode() {
		for (const button of this.modes ?? []) {
			button.classList.toggle('on', Boolean(this.view.handles.object) && this.view.handles.mode === button.dataset.mode);
		}
	}

	fillIn(surface) {
		this.shape = null;
		this.setPads(this.pads, surface.shape);
		for (const [input, read] of this.inputs) {
			if (document.activeElement === input) continue;
			// A ten-thousandth of a millimetre or degree is nothing, and -0 is 0.
			input.value = String(Number(Number(read(surface).toPrecision(6)).toFixed(4)) || 0);
		}
		const dented = surface.hull?.of === 'hull' ? 'Not convex: its convex hull stands for it, and is drawn. ' : '';
		this.remark.textContent = dented + (this.carrier ? `Its position is that on ${this.carrier}.` : '');
	}
}
