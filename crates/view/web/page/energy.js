// Energies of a simulation against its time: kinetic, potential (from its start), stored in contacts and springs, and all together.
import { line, niceStep } from './plot.js';

// Seconds that are shown.
const SPAN = 10;
const LEFT = 52;
const RIGHT = 18;
const KINDS = [['total', '--ink', 2], ['kinetic', '--red', 1.4], ['potential', '--accent', 1.4], ['stored', '--green', 1.4]];

export class Energy {
	constructor(canvas) {
		this.canvas = canvas;
		this.points = [];
		new ResizeObserver(() => this.draw()).observe(canvas);
	}

	clear() {
		this.points = [];
		this.draw();
	}

	// Time in s, energies in J: kinetic, potential, stored.
	add(time, [kinetic, potential, stored]) {
		const last = this.points.at(-1);
		if (last && time < last.time) this.points = [];
		if (last?.time === time || [kinetic, potential, stored].some((x) => x == null)) return;
		this.zero ??= potential;
		if (!this.points.length) this.zero = potential;
		const fallen = potential - this.zero;
		this.points.push({ time, kinetic, potential: fallen, stored, total: kinetic + fallen + stored });
		while (this.points[0].time < time - SPAN) this.points.shift();
		this.draw();
	}

	draw() {
		const { canvas, points } = this;
		const [width, height] = [canvas.clientWidth, canvas.clientHeight];
		if (!width) return;
		const scale = devicePixelRatio;
		Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
		const pen = canvas.getContext('2d');
		pen.setTransform(scale, 0, 0, scale, 0, 0);
		if (points.length < 2) return;
		const style = getComputedStyle(document.documentElement);
		const color = (name) => style.getPropertyValue(name).trim();
		const all = points.flatMap((point) => KINDS.map(([kind]) => point[kind]));
		const [low, high] = [Math.min(0, ...all), Math.max(1e-9, ...all)];
		const step = niceStep((high - low) / 4);
		const [bottom, top] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
		const first = points[0].time;
		const last = Math.max(first + 1e-9, points.at(-1).time);
		const x = (time) => LEFT + ((width - LEFT - RIGHT) * (time - first)) / (last - first);
		const y = (joule) => 8 + ((height - 26) * (top - joule)) / (top - bottom);
		pen.font = `11px ${color('--font')}`;
		pen.textBaseline = 'middle';
		pen.textAlign = 'right';
		for (let k = 0; bottom + k * step <= top + 1e-9 * step; k++) {
			const joule = bottom + k * step;
			pen.strokeStyle = color('--line');
			line(pen, LEFT, y(joule), width - RIGHT, y(joule));
			pen.fillStyle = color('--soft');
			pen.fillText(`${Number(joule.toPrecision(4))}${joule + step > top + 1e-9 * step ? ' J' : ''}`, LEFT - 5, y(joule));
		}
		pen.textAlign = 'center';
		for (const time of [first, last]) pen.fillText(`${time.toFixed(2)}${time === last ? ' s' : ''}`, x(time), height - 7);
		for (const [kind, name, thick] of KINDS) {
			pen.strokeStyle = color(name);
			pen.lineWidth = thick;
			pen.beginPath();
			for (const point of points) pen.lineTo(x(point.time), y(point[kind]));
			pen.stroke();
		}
		pen.lineWidth = 1;
	}
}
