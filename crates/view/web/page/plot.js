// Least distance against time: of the whole movement or plan when there is one, else of the last half minute. When the table lists
// some pairs only, theirs is a second line.
const SPAN = 30;

export class Plot {
	constructor(canvas, legend, seek) {
		Object.assign(this, { canvas, legend, seek });
		this.history = [];
		canvas.addEventListener('pointerdown', (event) => {
			canvas.setPointerCapture(event.pointerId);
			this.drag(event);
		});
		canvas.addEventListener('pointermove', (event) => canvas.hasPointerCapture(event.pointerId) && this.drag(event));
		this.curvePicture = document.createElement('canvas');
		new ResizeObserver(() => this.redraw()).observe(canvas);
	}

	setCurve(curve) {
		this.curve = curve;
		this.legend.hidden = !curve?.table;
		if (curve?.table) {
			const name = curve.table.between.map((side) => side.join(', ') || 'everything').join(' – ');
			this.legend.textContent = `Solid: everything. Dashed: ${name}, as in the table.`;
		}
		this.redraw();
	}

	// Everything anew: another curve, size or colours.
	redraw() {
		this.drawn = null;
		this.draw();
	}

	// The least distance of everything, and of the pairs in the table.
	setMoment(time, distance, listed, source) {
		Object.assign(this, { time, distance, listed, source });
		const now = performance.now() / 1000;
		this.history.push([now, distance]);
		while (this.history.length && this.history[0][0] < now - SPAN) this.history.shift();
		this.draw();
	}

	points() {
		if (this.curve) return this.of(this.curve.distances);
		const now = performance.now() / 1000;
		return this.history.map(([time, distance]) => [time - now, distance]);
	}

	of(distances) { return this.curve.times.map((time, i) => [time, distances[i]]).filter(([, distance]) => distance != null); }

	drag(event) {
		if (!this.curve) return;
		const frame = this.canvas.getBoundingClientRect();
		const share = (event.clientX - frame.left - LEFT) / (frame.width - LEFT - RIGHT);
		const [first, last] = [this.curve.times[0], this.curve.times.at(-1)];
		this.seek(first + (last - first) * Math.min(1, Math.max(0, share)));
	}

	// The curve of a movement stays: its picture is made once, and each moment only the cursor is drawn over it.
	draw() {
		const { canvas, curvePicture } = this;
		const [width, height] = [canvas.clientWidth, canvas.clientHeight];
		if (!width) return;
		const scale = devicePixelRatio;
		const [columns, rows] = [Math.round(width * scale), Math.round(height * scale)];
		// A robot that was moved by hand may be nearer or farther than in the whole movement.
		const beyond = this.drawn && this.distance != null && !(1000 * this.distance >= this.drawn.bottom && 1000 * this.distance <= this.drawn.top);
		if (!this.curve || !this.drawn || beyond || curvePicture.width !== columns || curvePicture.height !== rows) {
			Object.assign(curvePicture, { width: columns, height: rows });
			const pen = curvePicture.getContext('2d');
			pen.setTransform(scale, 0, 0, scale, 0, 0);
			this.drawn = this.drawCurve(pen, width, height);
		}
		if (canvas.width !== columns || canvas.height !== rows) Object.assign(canvas, { width: columns, height: rows });
		const pen = canvas.getContext('2d');
		pen.setTransform(1, 0, 0, 1, 0, 0);
		pen.clearRect(0, 0, columns, rows);
		pen.drawImage(curvePicture, 0, 0);
		if (this.drawn && (!this.curve || this.source === 'movement')) {
			pen.setTransform(scale, 0, 0, scale, 0, 0);
			this.drawCursor(pen, height);
		}
	}

	// Axes, contacts and curve; returns the scales, or nothing when there is nothing to show.
	drawCurve(pen, width, height) {
		const style = getComputedStyle(document.documentElement);
		const color = (name) => style.getPropertyValue(name).trim();
		const points = this.points().filter(([, distance]) => distance != null);
		if (!points.length) return null;
		const listed = this.curve?.table ? this.of(this.curve.table.distances) : [];
		const times = this.curve ? [points[0][0], points.at(-1)[0]] : [-SPAN, 0];
		let [low, high] = [0, 1e-3];
		for (const [, distance] of [...points, ...listed]) [low, high] = [Math.min(low, 1000 * distance), Math.max(high, 1000 * distance)];
		if (this.distance != null) [low, high] = [Math.min(low, 1000 * this.distance), Math.max(high, 1000 * this.distance)];
		const step = niceStep((high - low) / 4);
		const bottom = Math.floor(low / step) * step;
		const top = Math.ceil(high / step) * step;
		const x = (time) => LEFT + ((width - LEFT - RIGHT) * (time - times[0])) / (times[1] - times[0] || 1);
		const y = (mm) => 8 + ((height - 26) * (top - mm)) / (top - bottom);
		pen.font = `11px ${color('--font')}`;
		pen.textBaseline = 'middle';
		pen.textAlign = 'right';
		for (let mm = bottom; mm <= top + 1e-9; mm += step) {
			pen.strokeStyle = color(Math.abs(mm) < 1e-9 ? '--soft' : '--line');
			line(pen, LEFT, y(mm), width - RIGHT, y(mm));
			pen.fillStyle = color('--soft');
			pen.fillText(`${Number(mm.toPrecision(6))}${mm + step > top + 1e-9 ? ' mm' : ''}`, LEFT - 5, y(mm));
		}
		pen.textAlign = 'center';
		const every = niceStep((times[1] - times[0]) / 5);
		for (let time = Math.ceil(times[0] / every) * every; time <= times[1] + 1e-9; time += every) {
			pen.fillText(`${Number(time.toPrecision(4))}${time + every > times[1] + 1e-9 ? ' s' : ''}`, x(time), height - 7);
		}
		// Contacts are shaded.
		pen.fillStyle = color('--shade');
		let from = null;
		points.forEach(([time, distance], i) => {
			if (distance <= 0) from ??= time;
			if (from != null && (distance > 0 || i === points.length - 1)) {
				pen.fillRect(x(from), 8, Math.max(1, x(time) - x(from)), height - 26);
				from = null;
			}
		});
		pen.lineWidth = 1.8;
		pen.lineJoin = 'round';
		pen.strokeStyle = color('--accent');
		pen.beginPath();
		for (const [time, distance] of points) pen.lineTo(x(time), y(1000 * distance));
		pen.stroke();
		pen.setLineDash([4, 3]);
		pen.strokeStyle = color('--ink');
		pen.lineWidth = 1.2;
		pen.beginPath();
		for (const [time, distance] of listed) pen.lineTo(x(time), y(1000 * distance));
		pen.stroke();
		pen.setLineDash([]);
		pen.lineWidth = 1;
		return { x, y, bottom, top, ink: color('--ink'), red: color('--red'), green: color('--green') };
	}

	drawCursor(pen, height) {
		const { x, y, ink, red, green } = this.drawn;
		pen.strokeStyle = ink;
		// Without a movement the right edge is now.
		const now = this.curve ? this.time : 0;
		line(pen, x(now), 8, x(now), height - 18);
		for (const [distance, radius] of [[this.curve?.table ? this.listed : null, 3], [this.distance, 4]]) {
			if (distance == null) continue;
			pen.fillStyle = distance <= 0 ? red : green;
			pen.beginPath();
			pen.arc(x(now), y(1000 * distance), radius, 0, 2 * Math.PI);
			pen.fill();
		}
	}
}

const LEFT = 52;
const RIGHT = 18;

export function line(pen, x1, y1, x2, y2) {
	pen.beginPath();
	pen.moveTo(x1, y1);
	pen.lineTo(x2, y2);
	pen.stroke();
}

export function niceStep(step) {
	const power = 10 ** Math.floor(Math.log10(step));
	return power * [1, 2, 5, 10].find((factor) => factor * power >= step - 1e-12);
}
