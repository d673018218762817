// The scene in three dimensions: links, surfaces, objects, camera, picking and handles.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { geometryOf } from './surfaces.js';

const THEMES = {
  light: { background: 0xf4f6f8, grid: 0xc9d1d9, gridStrong: 0xa9b4bf, branches: [0x9db8d4, 0xd3c6ae, 0xb3c9ae, 0xc5b5d3], object: 0xb9bec4, red: 0xd9303e, orange: 0xf0962a },
  dark: { background: 0x11151a, grid: 0x2a323b, gridStrong: 0x3a4550, branches: [0x7695b8, 0xb5a688, 0x8fa98a, 0xa393b5], object: 0x848b93, red: 0xf04452, orange: 0xf0962a },
};
// Where the camera stands, seen from the middle of the scene; z is up, x is forward.
const VIEWS = {
  home: [-0.72, -0.62, 0.46],
  front: [1, 0, 0],
  back: [-1, 0, 0],
  left: [0, 1, 0],
  right: [0, -1, 0],
  top: [0, -0.001, 1],
  bottom: [0, -0.001, -1],
};

export class Scene3d extends EventTarget {
  constructor(canvas) {
    super();
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.001, 100);
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(...VIEWS.home);
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.enableDamping = true;
    this.orbit.dampingFactor = 0.15;
    this.orbit.zoomToCursor = true;
    this.orbit.addEventListener('change', () => this.redraw());
    this.handles = new TransformControls(this.camera, canvas);
    this.handles.setSize(0.7);
    this.handles.setSpace('local');
    this.handles.addEventListener('change', () => this.redraw());
    this.handles.addEventListener('dragging-changed', (event) => {
      this.orbit.enabled = !event.value;
      this.dispatchEvent(new CustomEvent('drag', { detail: event.value }));
    });
    this.handles.addEventListener('objectChange', () => this.dispatchEvent(new Event('moved')));
    this.handleHelper = this.handles.getHelper();
    this.scene.add(this.handleHelper);

    this.sky = new THREE.HemisphereLight(0xffffff, 0x8d99a6, 1.6);
    this.sky.position.set(0, 0, 1);
    this.sun = new THREE.DirectionalLight(0xffffff, 1.7);
    this.scene.add(this.sky, this.camera);
    // The light moves with the camera, so that what is looked at is never in the dark.
    this.sun.position.set(-0.5, 0.9, 0.6);
    this.camera.add(this.sun);

    this.links = [];
    this.bodies = new Map();
    this.world = new THREE.Group();
    this.grid = new THREE.Group();
    this.scene.add(this.world, this.grid);
    this.show = { surfaces: true, objects: true, grid: true, frames: false, glass: false };
    this.fps = 0;
    this.theme = 'light';
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
    this.listenForPicks();
    requestAnimationFrame((time) => this.tick(time));
  }

  get colors() { return THEMES[this.theme]; }

  setTheme(theme) {
    this.theme = theme;
    this.scene.background = new THREE.Color(this.colors.background);
    this.sky.groundColor.set(theme === 'dark' ? 0x3a4450 : 0x8d99a6);
    this.drawGrid();
    this.paint();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    // Kept, because asking the page for it costs a layout.
    this.extentOnScreen = [width, height];
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.redraw();
    this.dispatchEvent(new Event('resized'));
  }

  redraw() { this.dirty = true; }

  tick(time) {
    const start = performance.now();
    this.dispatchEvent(new Event('tick'));
    this.orbit.update();
    this.animate(time);
    if (this.dirty) {
      this.dirty = false;
      this.renderer.render(this.scene, this.camera);
      this.dispatchEvent(new Event('drawn'));
      this.frames = (this.frames ?? 0) + 1;
      // Script time of a frame, ms, smoothed: without what the browser and the graphics card do after it.
      this.work = 0.95 * (this.work ?? 0) + 0.05 * (performance.now() - start);
    }
    if (time - (this.counted ?? 0) > 1000) {
      this.fps = Math.round((1000 * (this.frames ?? 0)) / (time - (this.counted ?? 0)));
      this.counted = time;
      this.frames = 0;
    }
    requestAnimationFrame((next) => this.tick(next));
  }

  // ---- contents

  setPicture(picture) {
    const newRobot = this.robotNumber !== picture.robot_number || this.links.length !== picture.links.length;
    if (newRobot) {
      for (const link of this.links) this.scene.remove(link);
      this.bodies.clear();
      this.select(null);
      this.links = picture.links.map(() => {
        const link = new THREE.Group();
        const axes = new THREE.AxesHelper(0.02);
        axes.userData.frame = true;
        link.add(axes);
        this.scene.add(link);
        return link;
      });
      this.robotNumber = picture.robot_number;
      this.extent = null;
      this.fresh = true;
    }
    const branches = branchesOf(picture.links);
    const kept = new Set();
    picture.links.forEach((link, i) => {
      kept.add(link.name);
      const body = this.body(link.name, this.links[i], branches[i]);
      this.setSurfaces(body, link.surfaces, (index) => ({ link: link.name, index }));
    });
    for (const object of picture.objects) {
      kept.add(object.name);
      const parent = object.link ? this.links[picture.links.findIndex((link) => link.name === object.link)] : this.world;
      let body = this.bodies.get(object.name);
      if (!body) {
        const group = new THREE.Group();
        group.userData.target = { object: object.name };
        body = { group, meshes: [], branch: null, own: true };
        this.bodies.set(object.name, body);
      }
      body.attached = object.link;
      if (body.group.parent !== parent) parent.add(body.group);
      if (!this.isHeld({ object: object.name })) place(body.group, object.pose);
      this.setSurfaces(body, object.surfaces, (index) => ({ object: object.name, index }));
    }
    for (const [name, body] of this.bodies) {
      if (kept.has(name)) continue;
      this.setSurfaces(body, [], null);
      body.group.removeFromParent();
      this.bodies.delete(name);
    }
    if (this.selected && !this.meshOf(this.selected)) this.select(null);
    this.paint();
  }

  body(name, group, branch) {
    if (!this.bodies.has(name)) this.bodies.set(name, { group, meshes: [], branch });
    return this.bodies.get(name);
  }

  setSurfaces(body, surfaces, targetOf) {
    while (body.meshes.length > surfaces.length) {
      const mesh = body.meshes.pop();
      mesh.geometry.dispose();
      mesh.removeFromParent();
    }
    surfaces.forEach((surface, index) => {
      const target = targetOf(index);
      let mesh = body.meshes[index];
      if (!mesh) {
        const material = new THREE.MeshStandardMaterial({ roughness: 0.62, metalness: 0 });
        mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
        mesh.userData = { target, shape: '' };
        body.meshes.push(mesh);
        body.group.add(mesh);
      }
      if (this.isHeld(target)) return;
      place(mesh, surface.pose);
      this.setShape(mesh, surface.hull ?? surface.shape);
      mesh.userData.dented = surface.hull?.of === 'hull';
    });
  }

  setShape(mesh, shape) {
    const text = JSON.stringify(shape);
    if (mesh.userData.shape === text) return;
    const geometry = geometryOf(shape);
    if (!geometry) return;
    mesh.userData.shape = text;
    mesh.geometry.dispose();
    mesh.geometry = geometry;
    this.redraw();
  }

  // The surface a finger is on is not put back to where the server still has it.
  isHeld(target) { return this.held && sameTarget(this.held, target); }

  meshOf(target) {
    const body = target && this.bodies.get(target.link ?? target.object);
    return body?.meshes[target.index ?? 0];
  }

  get surfaceCount() {
    let count = 0;
    for (const body of this.bodies.values()) if (!body.own) count += body.meshes.length;
    return count;
  }

  setPoses(poses) {
    poses.forEach((pose, i) => {
      const link = this.links[i];
      if (!link) return;
      link.position.set(pose[0], pose[1], pose[2]);
      link.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
    });
    if (this.fresh) {
      this.fresh = false;
      this.scene.updateMatrixWorld();
      this.drawGrid();
      this.look('home', false);
    }
    this.redraw();
  }

  // ---- looks

  // states: name → 'contact' or 'close'; highlighted: names.
  paint(states = this.states ?? new Map(), highlighted = this.highlighted ?? []) {
    this.states = states;
    this.highlighted = highlighted;
    for (const [name, body] of this.bodies) {
      const state = states.get(name);
      const own = body.own ? this.colors.object : this.colors.branches[body.branch % 4];
      const color = state === 'contact' ? this.colors.red : state === 'close' ? this.colors.orange : own;
      for (const mesh of body.meshes) {
        const chosen = this.selected && sameTarget(mesh.userData.target, this.selected);
        mesh.material.color.set(color);
        mesh.material.emissive.set(chosen ? 0x2467b3 : highlighted.includes(name) ? 0x6a6a30 : 0x000000);
        mesh.material.emissiveIntensity = chosen ? 0.45 : 0.8;
        const glass = this.show.glass && !chosen;
        if (mesh.material.transparent !== glass) mesh.material.needsUpdate = true;
        mesh.material.transparent = glass;
        mesh.material.opacity = glass ? 0.38 : 1;
        mesh.material.depthWrite = !glass;
        mesh.visible = body.own ? this.show.objects : this.show.surfaces;
      }
    }
    for (const link of this.links) for (const child of link.children) if (child.userData.frame) child.visible = this.show.frames;
    this.grid.visible = this.show.grid;
    this.redraw();
  }

  drawGrid() {
    this.grid.clear();
    const box = this.bounds();
    if (box.isEmpty()) return;
    const size = box.getSize(new THREE.Vector3());
    const reach = Math.max(size.x, size.y, size.z);
    const cell = 10 ** Math.floor(Math.log10(reach / 4));
    const middle = box.getCenter(new THREE.Vector3());
    const grid = new THREE.GridHelper(cell * 40, 40, this.colors.gridStrong, this.colors.grid);
    grid.rotation.x = Math.PI / 2;
    grid.position.set(Math.round(middle.x / cell) * cell, Math.round(middle.y / cell) * cell, Math.floor(box.min.z / cell) * cell);
    this.grid.add(grid);
    this.cell = cell;
  }

  // Where the robot is in the course of its movement: the camera begins with a view of all of it.
  setExtent(extent) {
    const first = extent && !this.extent;
    this.extent = extent && new THREE.Box3(new THREE.Vector3(...extent[0]), new THREE.Vector3(...extent[1]));
    if (first) {
      this.drawGrid();
      this.look('home', false);
    }
  }

  bounds() {
    const box = this.extent?.clone() ?? new THREE.Box3();
    for (const body of this.bodies.values()) for (const mesh of body.meshes) {
      if (JSON.parse(mesh.userData.shape).of === 'half_space') continue;
      box.expandByObject(mesh);
    }
    return box;
  }

  get size() { return this.bounds().getSize(new THREE.Vector3()).length() || 1; }

  look(view, smoothly = true) {
    const box = this.bounds();
    if (box.isEmpty() || !VIEWS[view]) return;
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const direction = new THREE.Vector3(...VIEWS[view]).normalize();
    const half = Math.min(this.camera.fov, this.camera.fov * this.camera.aspect) / 2;
    const distance = (0.7 * sphere.radius) / Math.sin(THREE.MathUtils.degToRad(half));
    const to = sphere.center.clone().addScaledVector(direction, distance);
    this.camera.near = distance / 100;
    this.camera.far = distance * 50;
    this.camera.updateProjectionMatrix();
    if (!smoothly) {
      this.camera.position.copy(to);
      this.orbit.target.copy(sphere.center);
      this.way = null;
    } else {
      this.way = { from: this.camera.position.clone(), to, target: this.orbit.target.clone(), center: sphere.center, start: null };
    }
    this.redraw();
  }

  animate(time) {
    const way = this.way;
    if (!way) return;
    way.start ??= time;
    const t = Math.min(1, (time - way.start) / 250);
    const s = t * t * (3 - 2 * t);
    this.camera.position.lerpVectors(way.from, way.to, s);
    this.orbit.target.lerpVectors(way.target, way.center, s);
    if (t === 1) this.way = null;
    this.redraw();
  }

  // ---- picking

  listenForPicks() {
    let down = null;
    this.canvas.addEventListener('pointerdown', (event) => {
      this.way = null;
      down = event.isPrimary && event.button === 0 && !this.handles.dragging && !this.handles.axis
        ? { x: event.clientX, y: event.clientY, time: event.timeStamp } : null;
    });
    this.canvas.addEventListener('pointerup', (event) => {
      if (!down || this.suspended) return;
      const moved = Math.hypot(event.clientX - down.x, event.clientY - down.y);
      if (moved < 6) this.dispatchEvent(new CustomEvent('pick', { detail: this.pick(event) }));
      down = null;
    });
  }

  pick(event) {
    const frame = this.canvas.getBoundingClientRect();
    const point = new THREE.Vector2(
      (2 * (event.clientX - frame.left)) / frame.width - 1,
      1 - (2 * (event.clientY - frame.top)) / frame.height,
    );
    const caster = new THREE.Raycaster();
    caster.setFromCamera(point, this.camera);
    const meshes = [...this.bodies.values()].flatMap((body) => body.meshes).filter((mesh) => mesh.visible);
    return caster.intersectObjects(meshes, false)[0]?.object.userData.target ?? null;
  }

  select(target) {
    this.selected = target;
    this.setHandles(target ? this.handleMode : null);
    this.paint();
  }

  setHandles(mode) {
    this.handleMode = mode ?? this.handleMode;
    const object = this.movable(this.selected);
    if (!mode || mode === 'none' || !object) {
      this.handles.detach();
    } else {
      this.handles.setMode(mode);
      this.handles.attach(object);
    }
    this.redraw();
  }

  // A surface moves on its link, an object of the world as a whole; an attached one stays where it is.
  movable(target) {
    if (!target) return null;
    if (target.link) return this.meshOf(target);
    const body = this.bodies.get(target.object);
    return body && !body.attached ? body.group : null;
  }

  // The pose of what is selected, as it is sent.
  poseOf(target) {
    const object = this.movable(target);
    return object && { xyz: object.position.toArray(), quat: object.quaternion.toArray() };
  }

  project(point) {
    const seen = new THREE.Vector3(...point).project(this.camera);
    if (seen.z > 1) return null;
    const [width, height] = this.extentOnScreen;
    return [((seen.x + 1) / 2) * width, ((1 - seen.y) / 2) * height];
  }
}

export function sameTarget(a, b) {
  return Boolean(a && b) && a.link === b.link && a.object === b.object && (a.index ?? 0) === (b.index ?? 0);
}

function place(object, pose) {
  object.position.set(...pose.xyz);
  object.quaternion.set(...pose.quat);
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
