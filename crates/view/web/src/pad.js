// A pad for two numbers: the superellipsoid widget. Over the edges of the grid stand small pictures of what the shape
// looks like there, turned as the surface is turned; the red cursor is the shape itself.
import { superovoidArrays } from './surfaces.js';

export class Pad {
  // options: range [least, most], step, names [x, y], preview(x, y) → shape parameters, change(x, y), done()
  constructor(options) {
    this.options = options;
    this.value = [0, 0];
    this.element = document.createElement('figure');
    this.element.className = 'pad';
    this.canvas = document.createElement('canvas');
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'slider');
    this.canvas.setAttribute('aria-label', options.names.join(' and '));
    this.caption = document.createElement('figcaption');
    this.element.append(this.canvas, this.caption);
    this.canvas.addEventListener('pointerdown', (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      this.options.begin?.();
      this.drag(event);
    });
    this.canvas.addEventListener('pointermove', (event) => this.canvas.hasPointerCapture(event.pointerId) && this.drag(event));
    this.canvas.addEventListener('lostpointercapture', () => this.options.done?.());
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  set(value, rotation) {
    this.value = value;
    this.rotation = rotation ?? this.rotation;
    this.draw();
  }

  drag(event) {
    const frame = this.canvas.getBoundingClientRect();
    this.moveTo((event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height);
  }

  moveTo(x, y) {
    const [least, most] = this.options.range;
    const margin = 0.08;
    const number = (share) => {
      const value = least + (most - least) * Math.min(1, Math.max(0, (share - margin) / (1 - 2 * margin)));
      const rounded = Math.round(value / this.options.step) * this.options.step;
      return Number(Math.min(most, Math.max(least, rounded)).toFixed(4));
    };
    this.change([number(x), number(1 - y)]);
  }

  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const [least, most] = this.options.range;
    const size = (event.shiftKey ? 1 : 5) * this.options.step;
    this.options.begin?.();
    this.change(this.value.map((v, i) => Number(Math.min(most, Math.max(least, v + step[i] * size)).toFixed(4))));
    this.options.done?.();
  }

  change(value) {
    this.value = value;
    this.draw();
    this.options.change(...value);
  }

  // Where a value is on the pad, in pixels of its own.
  place([x, y], size) {
    const [least, most] = this.options.range;
    const share = (v) => 0.08 + (0.84 * (v - least)) / (most - least);
    return [share(x) * size, (1 - share(y)) * size];
  }

  draw() {
    const { canvas, options } = this;
    const size = canvas.clientWidth;
    if (!size) return;
    const scale = devicePixelRatio;
    canvas.style.height = `${size}px`;
    canvas.width = canvas.height = size * scale;
    const pen = canvas.getContext('2d');
    pen.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    const [least, most] = options.range;
    pen.strokeStyle = style.getPropertyValue('--line');
    for (let i = 0; i <= 4; i++) {
      const at = this.place([least + ((most - least) * i) / 4, least + ((most - least) * i) / 4], size);
      pen.lineWidth = i === 2 ? 2 : 1;
      pen.beginPath();
      pen.moveTo(at[0], 0.08 * size); pen.lineTo(at[0], 0.92 * size);
      pen.moveTo(0.08 * size, at[1]); pen.lineTo(0.92 * size, at[1]);
      pen.stroke();
    }
    const icons = size > 120 ? 4 : 2;
    for (let i = 0; i <= icons; i++) for (let j = 0; j <= icons; j++) {
      if (i % icons && j % icons) continue;
      const value = [i, j].map((k) => least + ((most - least) * k) / icons);
      this.shape(pen, value, this.place(value, size), 0.058 * size, [70, 120, 185]);
    }
    this.shape(pen, this.value, this.place(this.value, size), 0.1 * size, [214, 48, 62]);
    this.caption.textContent = options.names.map((name, i) => `${name} ${this.value[i].toFixed(2)}`).join('\n');
    canvas.setAttribute('aria-valuetext', this.caption.textContent);
  }

  // A small picture of the shape: its quadrilaterals from back to front, lit from above left.
  shape(pen, value, [cx, cy], radius, color) {
    const { radii, exponents, taper } = this.options.preview(...value);
    const most = Math.max(...radii);
    const turn = this.rotation ?? ((v) => v);
    const { positions, normals, along, around } = superovoidArrays(radii.map((r) => r / most), ...exponents, taper, 14, 20);
    const at = (list, k) => turn([list[3 * k], list[3 * k + 1], list[3 * k + 2]]);
    const points = [];
    const shades = [];
    for (let k = 0; k < positions.length / 3; k++) {
      points.push(at(positions, k));
      const [nx, ny, nz] = at(normals, k);
      shades.push(Math.max(0, -0.4 * nx + 0.6 * ny + 0.69 * nz));
    }
    const quads = [];
    for (let i = 0; i < along; i++) for (let j = 0; j < around; j++) {
      const a = i * (around + 1) + j;
      const corners = [a, a + 1, a + around + 2, a + around + 1];
      quads.push({ corners, depth: corners.reduce((sum, c) => sum + points[c][2], 0) });
    }
    quads.sort((a, b) => a.depth - b.depth);
    const reach = radius / 1.15;
    for (const { corners } of quads) {
      const light = 0.45 + 0.65 * (corners.reduce((sum, c) => sum + shades[c], 0) / 4);
      const fill = `rgb(${color.map((c) => Math.min(255, Math.round(c * light))).join(' ')})`;
      pen.fillStyle = pen.strokeStyle = fill;
      pen.lineWidth = 0.6;
      pen.beginPath();
      for (const c of corners) pen.lineTo(cx + reach * points[c][0], cy - reach * points[c][1]);
      pen.closePath();
      pen.fill();
      pen.stroke();
    }
  }
}
