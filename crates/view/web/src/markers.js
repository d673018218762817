// Lines between nearest points, contact points, normals, and labels that keep out of each other's way.
import * as THREE from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';

const COLORS = {
  light: { line: 0x12a150, contact: 0xb3121f, normal: 0x2467b3, strong: 0x111418 },
  dark: { line: 0x4fe08c, contact: 0xffd0d3, normal: 0x7db9ff, strong: 0xffffff },
};
const MAX_LABELS = 14;

export class Markers {
  constructor(view, labels) {
    this.view = view;
    this.labels = labels;
    this.show = { distances: true, contacts: true, normals: true, labels: true, names: false };
    this.pairs = [];
    this.chief = new Set();
    this.lines = this.segments(2.2);
    this.faint = this.segments(1.1);
    this.faint.material.opacity = 0.35;
    this.strong = this.segments(4.5);
    this.normals = this.segments(2.2);
    this.points = new THREE.Points(
      room(new THREE.BufferGeometry(), 64),
      new THREE.PointsMaterial({ size: 8, sizeAttenuation: false, map: disc(), transparent: true, depthTest: false }),
    );
    this.points.renderOrder = 4;
    this.points.frustumCulled = false;
    view.scene.add(this.points);
    this.pool = [];
    view.addEventListener('drawn', () => this.placeLabels());
  }

  segments(width) {
    const material = new LineMaterial({ linewidth: width, transparent: true, depthTest: false });
    const lines = new LineSegments2(new LineSegmentsGeometry().setPositions(new Float32Array(6 * 64)), material);
    lines.frustumCulled = false;
    lines.renderOrder = 3;
    this.view.scene.add(lines);
    return lines;
  }

  setTheme(theme) {
    const colors = COLORS[theme];
    this.lines.material.color.set(colors.line);
    this.faint.material.color.set(colors.line);
    this.strong.material.color.set(colors.strong);
    this.normals.material.color.set(colors.normal);
    this.points.material.color.set(colors.contact);
    this.view.redraw();
  }

  set(pairs, hovered) {
    this.pairs = pairs;
    this.hovered = hovered;
    const apart = this.show.distances ? pairs.filter((pair) => !pair.contact) : [];
    this.chief = chiefPairs(pairs);
    fill(this.lines, apart.filter((pair) => this.chief.has(pair)).map(ends));
    fill(this.faint, apart.filter((pair) => !this.chief.has(pair)).map(ends));
    const chosen = pairs.filter((pair) => isSame(pair, hovered));
    fill(this.strong, chosen.map(ends));
    const touching = pairs.filter((pair) => pair.contact);
    const points = this.show.contacts ? touching.flatMap((pair) => pair.points ?? []) : [];
    const dots = this.points.geometry;
    if (points.length > dots.attributes.position.count) {
      dots.dispose();
      this.points.geometry = room(new THREE.BufferGeometry(), 2 * points.length);
    }
    const { position } = this.points.geometry.attributes;
    points.forEach((point, i) => position.setXYZ(i, ...point));
    position.needsUpdate = true;
    this.points.geometry.setDrawRange(0, points.length);
    this.points.visible = points.length > 0;
    const length = 0.05 * (this.size ??= this.view.size);
    fill(this.normals, this.show.normals ? touching.flatMap((pair) => arrow(pair, length, this.view.camera)) : []);
    this.view.redraw();
  }

  // Contacts and near pairs first; a label that would cover another is left out.
  placeLabels() {
    const wanted = [];
    if (this.show.labels) {
      for (const pair of this.pairs.slice(0, 60)) {
        const strong = isSame(pair, this.hovered);
        if (!strong && !this.chief.has(pair)) continue;
        const middle = pair.point_a.map((x, i) => (x + pair.point_b[i]) / 2);
        wanted.push({ at: middle, text: `${(1000 * pair.distance).toFixed(1)} mm`, kind: strong ? 'strong' : pair.contact ? 'contact' : '', strong });
      }
      wanted.sort((a, b) => b.strong - a.strong);
      wanted.length = Math.min(wanted.length, MAX_LABELS);
    }
    if (this.show.names) {
      for (const [name, body] of this.view.bodies) {
        const mesh = body.meshes[0];
        if (mesh) wanted.push({ at: new THREE.Vector3().setFromMatrixPosition(mesh.matrixWorld).toArray(), text: name, kind: 'name' });
      }
    }
    const taken = [];
    let used = 0;
    for (const label of wanted) {
      const at = this.view.project(label.at);
      if (!at) continue;
      const width = 7.2 * label.text.length + 14;
      const box = [at[0] + 12, at[1] - 26, at[0] + 12 + width, at[1] - 6];
      if (taken.some((other) => box[0] < other[2] + 3 && other[0] < box[2] + 3 && box[1] < other[3] + 3 && other[1] < box[3] + 3)) continue;
      taken.push(box);
      const element = this.pool[used++] ?? this.newLabel();
      show(element, label.text, `label ${label.kind}`, `translate(${box[0].toFixed(1)}px, ${box[1].toFixed(1)}px)`);
    }
    for (; used < this.pool.length; used++) hide(this.pool[used]);
  }

  newLabel() {
    const element = document.createElement('span');
    const label = { element, text: '', kind: '', place: '', hidden: false };
    this.labels.append(element);
    this.pool.push(label);
    return label;
  }
}

export function isSame(pair, other) {
  return Boolean(other) && pair.a === other.a && pair.b === other.b;
}

const ends = (pair) => [pair.point_a, pair.point_b];

// The pairs that matter: those in which each body is the other's nearest. Contacts that share a body with a deeper one,
// and distances past a nearer body, are drawn too, but less.
function chiefPairs(pairs) {
  const nearest = new Map();
  for (const pair of pairs) for (const name of [pair.a, pair.b]) if (!nearest.has(name)) nearest.set(name, pair);
  return new Set(pairs.filter((pair) => nearest.get(pair.a) === pair && nearest.get(pair.b) === pair));
}

// Labels are touched only where they differ: every write to the page costs a layout.
function show(label, text, kind, place) {
  const { element } = label;
  if (label.text !== text) element.textContent = label.text = text;
  if (label.kind !== kind) element.className = label.kind = kind;
  if (label.place !== place) element.style.transform = label.place = place;
  if (label.hidden) element.hidden = label.hidden = false;
}

function hide(label) {
  if (!label.hidden) label.element.hidden = label.hidden = true;
}

// The buffers stay from frame to frame, and grow when there are more segments than ever before.
function fill(lines, segments) {
  lines.visible = segments.length > 0;
  if (!segments.length) return;
  if (segments.length > lines.geometry.attributes.instanceStart.count) {
    lines.geometry.dispose();
    lines.geometry = new LineSegmentsGeometry().setPositions(new Float32Array(12 * segments.length));
  }
  // Starts and ends share one buffer.
  const { data } = lines.geometry.attributes.instanceStart;
  segments.forEach(([a, b], i) => {
    data.array.set(a, 6 * i);
    data.array.set(b, 6 * i + 3);
  });
  data.needsUpdate = true;
  lines.geometry.instanceCount = segments.length;
}

function room(geometry, count) {
  const positions = new THREE.Float32BufferAttribute(new Float32Array(3 * count), 3);
  geometry.setAttribute('position', positions.setUsage(THREE.DynamicDrawUsage));
  return geometry;
}

// The normal from the deepest point, with two barbs that face the camera.
function arrow(pair, length, camera) {
  const from = new THREE.Vector3(...(pair.points?.[0] ?? pair.point_a));
  const normal = new THREE.Vector3(...pair.normal);
  const to = from.clone().addScaledVector(normal, length);
  const side = normal.clone().cross(camera.position.clone().sub(to)).normalize().multiplyScalar(0.12 * length);
  const back = to.clone().addScaledVector(normal, -0.25 * length);
  const [a, b] = [back.clone().add(side), back.clone().sub(side)];
  return [[from.toArray(), to.toArray()], [to.toArray(), a.toArray()], [to.toArray(), b.toArray()]];
}

function disc() {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext('2d');
  pen.beginPath();
  pen.arc(32, 32, 28, 0, 2 * Math.PI);
  pen.fillStyle = '#fff';
  pen.fill();
  return new THREE.CanvasTexture(canvas);
}
