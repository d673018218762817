// A pad for two numbers: the superellipsoid widget. Over the edges of the grid stand small pictures of what the shape
// looks like there, turned as the surface is turned; the red cursor is the shape itself.
import { cross, dot, sub, unit } from '../draw/math.js';

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
		const points = patch(radii.map((r) => r / most), exponents, taper).map(this.rotation ?? ((v) => v));
		const quads = [];
		for (let i = 0; i < ALONG; i++) for (let j = 0; j < AROUND; j++) {
			const a = i * (AROUND + 1) + j;
			const corners = [a, a + 1, a + AROUND + 2, a + AROUND + 1].map((k) => points[k]);
			const normal = unit(cross(sub(corners[2], corners[0]), sub(corners[3], corners[1])));
			// Those that look away are hidden by the others.
			if (normal[2] > 0) quads.push({ corners, light: Math.max(0, dot(normal, [-0.4, 0.6, 0.69])), depth: corners.reduce((sum, c) => sum + c[2], 0) });
		}
		quads.sort((a, b) => a.depth - b.depth);
		const reach = radius / 1.15;
		for (const { corners, light } of quads) {
			pen.fillStyle = pen.strokeStyle = `rgb(${color.map((c) => Math.min(255, Math.round(c * (0.45 + 0.65 * light)))).join(' ')})`;
			pen.lineWidth = 0.6;
			pen.beginPath();
			for (const [x, y] of corners) pen.lineTo(cx + reach * x, cy - reach * y);
			pen.closePath();
			pen.fill();
			pen.stroke();
		}
	}
}

const ALONG = 14;
const AROUND = 20;

// Points of the unit superellipse |c|^(2/e) + |s|^(2/e) = 1 in evenly spread directions.
function superellipse(exponent, from, to, count) {
	return Array.from({ length: count + 1 }, (_, i) => {
		const angle = from + ((to - from) * i) / count;
		const [c, s] = [Math.cos(angle), Math.sin(angle)];
		const most = Math.max(Math.abs(c), Math.abs(s));
		const sum = Math.abs(c / most) ** (2 / exponent) + Math.abs(s / most) ** (2 / exponent);
		const radius = sum ** (-exponent / 2) / most;
		return [c * radius, s * radius];
	});
}

// The formulas are those of `superquadric` in draw/shaders.js.
function patch([r1, r2, r3], [exponentXy, exponentZ], taper) {
	const section = superellipse(exponentXy, 0, 2 * Math.PI, AROUND);
	const profile = superellipse(exponentZ, -Math.PI / 2, Math.PI / 2, ALONG);
	return profile.flatMap(([rho, w]) => section.map(([x, y]) => [r1 * (1 + taper[0] * w) * rho * x, r2 * (1 + taper[1] * w) * rho * y, r3 * w]));
}
