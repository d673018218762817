// The surface that was picked: its parameters, its pads, its handles; and objects of the world.
import * as THREE from 'three';
import { Pad } from './pad.js';
import { sameTarget } from './scene3d.js';
import { isSuperquadric } from './surfaces.js';

// Exponents and tapers a finger can reach; the ends of their ranges are no surfaces.
const EXPONENTS = [0.02, 1.98];
const TAPERS = [-0.9, 0.9];

export class Editor {
  constructor(view, connection, elements) {
    this.view = view;
    this.connection = connection;
    this.elements = elements;
    this.gesture = 0;
    view.addEventListener('drag', (event) => (event.detail ? this.begin() : this.done()));
    view.addEventListener('moved', () => this.sendPose());
    view.addEventListener('pick', (event) => this.select(event.detail));
    this.listenForHolds();
    this.render();
  }

  setPicture(picture) {
    this.picture = picture;
    if (!this.busy) {
      if (this.target && !this.surface()) this.select(null);
      else this.render();
    }
    this.renderObjects();
  }

  surface(target = this.target) {
    if (!target || !this.picture) return null;
    const { links, objects } = this.picture;
    const owner = target.link ? links.find((link) => link.name === target.link) : objects.find((object) => object.name === target.object);
    return owner?.surfaces[target.index ?? 0] ?? null;
  }

  select(target) {
    this.target = target;
    this.view.select(target);
    this.shape = null;
    this.render();
    this.renderObjects();
    if (target) {
      this.elements.section.open = true;
      this.elements.section.scrollIntoView({ block: 'nearest' });
    }
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

  send(key, edit) {
    this.connection.sendLast(key, { do: 'edit', gesture: this.gesture, edit });
  }

  sendPose() {
    const pose = this.view.poseOf(this.target);
    if (!pose) return;
    const { link, index, object } = this.target;
    this.send('pose', link ? { of: 'surface_pose', link, index, pose } : { of: 'object_pose', name: object, pose });
  }

  // Another shape for what is selected: seen at once, then sent.
  change(shape) {
    this.shape = shape;
    const mesh = this.view.meshOf(this.target);
    if (mesh) this.view.setShape(mesh, shape);
    const { link, index, object } = this.target;
    this.send('shape', link ? { of: 'surface_shape', link, index, shape } : { of: 'object_shape', name: object, shape });
  }

  remove() {
    if (!this.target || !this.picture?.editing) return;
    const { link, index, object } = this.target;
    this.gesture += 1;
    this.send('remove', link ? { of: 'remove_surface', link, index } : { of: 'remove_object', name: object });
    this.select(null);
  }

  // The turn of the surface as the camera sees it, for the pictures on the pad.
  rotation() {
    const mesh = this.view.meshOf(this.target);
    if (!mesh) return (v) => v;
    const turn = this.view.camera.quaternion.clone().invert().multiply(mesh.getWorldQuaternion(new THREE.Quaternion()));
    return (v) => new THREE.Vector3(...v).applyQuaternion(turn).toArray();
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

  render() {
    const { box, name } = this.elements;
    const surface = this.surface();
    const holder = this.picture?.objects.find((object) => object.name === this.target?.object)?.link;
    const key = surface && JSON.stringify([this.target, surface.shape.type, this.picture.editing, holder]);
    name.textContent = surface ? `${this.target.link ?? this.target.object}${this.target.index ? ` [${this.target.index}]` : ''}` : '';
    if (!surface) {
      this.key = null;
      box.innerHTML = '<p class="empty">Pick a surface to see its parameters. Hold it, and slide to another shape.</p>';
      return;
    }
    if (key !== this.key) {
      this.key = key;
      this.build(box, surface);
    }
    this.fillIn(surface);
  }

  build(box, surface) {
    box.replaceChildren();
    this.pads = [];
    this.inputs = new Map();
    const kind = document.createElement('select');
    kind.setAttribute('aria-label', 'Kind of shape');
    const kinds = this.picture.shapes.map((known) => known.type);
    for (const type of kinds.includes(surface.shape.type) ? kinds : [surface.shape.of ?? surface.shape.type, ...kinds]) kind.add(new Option(type));
    kind.value = surface.shape.of ?? surface.shape.type;
    kind.disabled = !this.picture.editing;
    kind.onchange = () => { this.begin(); this.change(this.converted(this.surface().shape, kind.value)); this.done(); };
    box.append(kind);
    if (isSuperquadric(surface.shape)) {
      this.pads = this.makePads(surface.shape);
      const row = document.createElement('div');
      row.className = 'pads';
      row.append(...this.pads.map((pad) => pad.element));
      if (!this.picture.editing) row.inert = true;
      box.append(row);
    }
    const fields = document.createElement('div');
    fields.className = 'fields';
    for (const [label, path, factor] of fieldsOf(this.kindOf(surface.shape.type))) {
      const read = (shown) => path.reduce((part, key) => part[key], shown.shape) * factor;
      fields.append(this.field(label, path.join('.'), read, (value) => {
        this.change(withValue(this.shape ?? this.surface().shape, path, value / factor));
      }));
    }
    box.append(fields);
    if (this.view.movable(this.target)) box.append(this.placeFields());
    this.dented = document.createElement('p');
    this.dented.className = 'empty';
    box.append(this.dented);
    if (!this.picture.editing) return;
    const buttons = document.createElement('div');
    buttons.className = 'buttons';
    const add = (text, title, action) => {
      const button = document.createElement('button');
      Object.assign(button, { textContent: text, title, onclick: action });
      buttons.append(button);
      return button;
    };
    this.modes = ['translate', 'rotate'].map((mode) => {
      const button = add(mode === 'translate' ? 'Move' : 'Turn', mode === 'translate' ? 'Move (M)' : 'Turn (R)', () => this.setMode(mode));
      button.dataset.mode = mode;
      return button;
    });
    if (this.target.link) {
      add('Add beside', 'One more surface on this link', () => this.addSurface());
    } else if (this.picture.objects.find((object) => object.name === this.target.object)?.link) {
      add('Let go', 'Leave it in the world, where it is', () => this.edit({ of: 'detach_object', name: this.target.object }));
    } else {
      const select = document.createElement('select');
      select.title = 'Fix it to a link';
      select.add(new Option('Fix to …', ''));
      for (const link of this.picture.links) select.add(new Option(link.name));
      select.onchange = () => select.value && this.edit({ of: 'attach_object', name: this.target.object, link: select.value });
      buttons.append(select);
    }
    add('Remove', 'Remove it (Delete)', () => this.remove());
    box.append(buttons);
    this.showMode();
  }

  // A number with its label; read takes it from a surface, write is told another.
  field(label, name, read, write) {
    const holder = document.createElement('label');
    const input = document.createElement('input');
    Object.assign(input, { type: 'number', step: 'any', disabled: !this.picture.editing });
    input.dataset.field = name;
    input.onchange = () => {
      const value = Number(input.value);
      if (input.value === '' || !Number.isFinite(value)) return;
      this.begin();
      write(value);
      this.done();
    };
    holder.append(label, input);
    this.inputs.set(input, read);
    return holder;
  }

  // Where it stands and how it is turned, as URDF has it: what the handles do, for the keyboard.
  placeFields() {
    const fields = document.createElement('div');
    fields.className = 'fields place';
    ['x', 'y', 'z'].forEach((axis, i) => {
      const read = () => 1000 * (this.pose()?.xyz[i] ?? 0);
      fields.append(this.field(`at ${axis}, mm`, `at.${axis}`, read, (value) => this.moveTo((pose) => (pose.xyz[i] = value / 1000))));
    });
    ['roll', 'pitch', 'yaw'].forEach((angle, i) => {
      const read = () => THREE.MathUtils.radToDeg(anglesOf(this.pose()?.quat ?? [0, 0, 0, 1])[i]);
      fields.append(this.field(`${angle}, °`, angle, read, (value) => this.moveTo((pose) => {
        const angles = anglesOf(pose.quat);
        angles[i] = THREE.MathUtils.degToRad(value);
        pose.quat = new THREE.Quaternion().setFromEuler(new THREE.Euler(...angles, 'ZYX')).toArray();
      })));
    });
    return fields;
  }

  // The pose of what is selected, as the server has it.
  pose() {
    const { link, object } = this.target ?? {};
    return link ? this.surface()?.pose : this.picture.objects.find((other) => other.name === object)?.pose;
  }

  moveTo(change) {
    const pose = structuredClone(this.pose());
    change(pose);
    const { link, index, object } = this.target;
    this.send('pose', link ? { of: 'surface_pose', link, index, pose } : { of: 'object_pose', name: object, pose });
  }

  edit(edit) {
    this.gesture += 1;
    this.key = null;
    this.send(edit.of, edit);
  }

  // The fields of a kind of shape, as the server describes them; none for a mesh.
  kindOf(type) { return this.picture.shapes.find((kind) => kind.type === type) ?? { type, fields: [] }; }

  converted(shape, type) { return converted(shape, this.kindOf(type)); }

  addSurface() {
    const surface = this.surface();
    const { link } = this.target;
    const count = this.picture.links.find((other) => other.name === link).surfaces.length;
    const pose = { ...surface.pose, xyz: surface.pose.xyz.map((x, i) => (i === 0 ? x + 0.01 : x)) };
    const shape = surface.shape.type === 'mesh' ? { type: 'sphere', radius: 0.01 } : surface.shape;
    this.edit({ of: 'add_surface', link, pose, shape });
    this.next = { link, index: count };
  }

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
    this.dented.textContent = surface.hull?.of === 'hull' ? 'Not convex: its convex hull stands for it, and is drawn.' : '';
  }

  // ---- objects

  renderObjects() {
    const { objects, objectsHint } = this.elements;
    const list = this.picture?.objects ?? [];
    objectsHint.textContent = list.length ? `${list.length + this.picture.hidden_objects}` : '';
    const key = JSON.stringify([list.map((object) => [object.name, object.link]), this.target, this.picture?.editing]);
    if (key === this.objectsKey) return;
    this.objectsKey = key;
    objects.replaceChildren();
    for (const object of list.slice(0, 200)) {
      const row = document.createElement('div');
      row.className = 'object';
      const button = document.createElement('button');
      button.textContent = object.link ? `${object.name} on ${object.link}` : object.name;
      button.classList.toggle('on', this.target?.object === object.name);
      button.onclick = () => this.select({ object: object.name, index: 0 });
      row.append(button);
      objects.append(row);
    }
    if (!this.picture?.editing) return;
    const buttons = document.createElement('div');
    buttons.className = 'buttons';
    for (const type of ['sphere', 'superellipsoid', 'box', 'cylinder']) {
      const button = document.createElement('button');
      Object.assign(button, { textContent: `+ ${type}`, title: `Add a ${type} in the middle of the view` });
      button.onclick = () => this.addObject(type);
      buttons.append(button);
    }
    objects.append(buttons);
  }

  addObject(type) {
    const names = new Set([...this.picture.objects, ...this.picture.links].map((body) => body.name));
    let number = 1;
    while (names.has(`${type}_${number}`)) number += 1;
    const name = `${type}_${number}`;
    const size = Number((0.06 * this.view.size).toPrecision(2));
    const shape = this.converted({ type: 'ellipsoid', radii: [size, size, size] }, type);
    const pose = { xyz: this.view.orbit.target.toArray(), quat: [0, 0, 0, 1] };
    this.gesture += 1;
    this.connection.send({ do: 'edit', gesture: this.gesture, edit: { of: 'add_object', name, pose, shape } });
    this.next = { object: name, index: 0 };
  }

  // What was just added is selected when it is there.
  selectNext() {
    if (!this.next || !this.surface(this.next)) return;
    const target = this.next;
    this.next = null;
    this.select(target);
  }

  // ---- holding a surface

  listenForHolds() {
    const canvas = this.view.canvas;
    let timer = null;
    let start = null;
    const stop = () => {
      clearTimeout(timer);
      timer = null;
    };
    canvas.addEventListener('pointerdown', (event) => {
      stop();
      if (!event.isPrimary || event.button !== 0 || this.view.handles.axis) return;
      const target = this.view.pick(event);
      const surface = this.surface(target);
      if (!surface || !isSuperquadric(surface.shape) || !this.picture.editing) return;
      start = [event.clientX, event.clientY];
      timer = setTimeout(() => this.hold(target, event), 450);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (timer && Math.hypot(event.clientX - start[0], event.clientY - start[1]) > 8) stop();
    });
    canvas.addEventListener('pointerup', stop);
    canvas.addEventListener('pointercancel', stop);
  }

  hold(target, event) {
    this.select(target);
    this.view.suspended = true;
    this.view.orbit.enabled = false;
    this.begin();
    const popup = document.createElement('div');
    popup.id = 'popup';
    const [pad] = this.makePads(this.surface().shape);
    popup.append(pad.element);
    const stage = this.view.canvas.parentElement;
    stage.append(popup);
    this.setPads([pad], this.surface().shape);
    // The cursor of the pad is under the finger.
    const size = pad.canvas.clientWidth;
    const [x, y] = pad.place(pad.value, size);
    const frame = stage.getBoundingClientRect();
    const left = event.clientX - frame.left - x - 8;
    const top = event.clientY - frame.top - y - 8;
    popup.style.left = `${left}px`;
    popup.style.top = `${top}px`;
    const move = (moved) => pad.drag(moved);
    const end = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      popup.remove();
      this.done();
      this.view.orbit.enabled = true;
      setTimeout(() => (this.view.suspended = false), 0);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }
}

const isLength = (field) => field.quantity === 'length' || field.quantity === 'full_length';

// Label, place in the shape, and factor from metres to what is shown.
function fieldsOf(kind) {
  return kind.fields.flatMap((field) => {
    const [unit, factor] = isLength(field) ? [', mm', 1000] : ['', 1];
    const name = field.name.replaceAll('_', ' ');
    if (field.labels.length === 0) return [[name + unit, [field.name], factor]];
    return field.labels.map((label, i) => [(isLength(field) ? label.replace('-', '−') : `${name} ${label}`) + unit, [field.name, i], factor]);
  });
}

// Roll, pitch and yaw of a quaternion: turns about the fixed axes x, y and z, in this order.
function anglesOf(quat) {
  return new THREE.Euler().setFromQuaternion(new THREE.Quaternion(...quat), 'ZYX').toArray().slice(0, 3);
}

function withValue(shape, path, value) {
  const copy = structuredClone(shape);
  if (path.length === 1) copy[path[0]] = value;
  else copy[path[0]][path[1]] = value;
  return copy;
}

// A shape of another kind of about the same size.
function converted(shape, kind) {
  const [x, y, z] = halfSizes(shape);
  const along = { x, y, z };
  const flat = Math.max(x, y);
  const round = kind.fields.length === 1 ? Math.max(flat, z) : flat;
  const exponent = kind.fields.some((field) => field.quantity === 'taper') ? 0.8 : 0.5;
  const number = (field, label) => {
    if (field.quantity === 'exponent') return shape[field.name] ?? exponent;
    if (!isLength(field)) return 0;
    if (label) return along[label.at(-1)] * (field.quantity === 'full_length' ? 2 : 1);
    if (field.quantity === 'length') return round;
    return kind.type === 'capsule' ? Math.max(2 * (z - flat), 1e-4) : 2 * z;
  };
  const value = (field) => (field.labels.length === 0 ? number(field) : field.labels.map((label) => number(field, label)));
  return { type: kind.type, ...Object.fromEntries(kind.fields.map((field) => [field.name, value(field)])) };
}

function halfSizes(shape) {
  if (shape.radii?.length === 3) return shape.radii;
  if (shape.radii) return [0, 2, 4].map((k) => (shape.radii[k] + shape.radii[k + 1]) / 2);
  if (shape.size) return shape.size.map((s) => s / 2);
  if (shape.length) return [shape.radius, shape.radius, shape.length / 2 + (shape.type === 'capsule' ? shape.radius : 0)];
  if (shape.radius) return [shape.radius, shape.radius, shape.radius];
  return [0.02, 0.02, 0.02];
}
