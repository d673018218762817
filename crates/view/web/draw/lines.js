// Lines and arrows of a width in pixels, dots, and the grid on the floor.
import { Instances } from './patches.js';

// Share of the way, side, and whether it is of the arrow head: a shaft of two triangles and a head of one.
const CORNERS = new Float32Array([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, -1, 0, 1, 1, 0, 0, 1, 0, 1, -1, 1, 1, 0, 1, 1, 1, 1]);

export class LineBatch {
	constructor(gl) {
		this.gl = gl;
		this.instances = new Instances(gl, 16);
		this.array = gl.createVertexArray();
		gl.bindVertexArray(this.array);
		const corners = gl.createBuffer();
		gl.bindBuffer(gl.ARRAY_BUFFER, corners);
		gl.bufferData(gl.ARRAY_BUFFER, CORNERS, gl.STATIC_DRAW);
		gl.enableVertexAttribArray(0);
		gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
		this.instances.attributes(2, 5);
		gl.bindVertexArray(null);
	}

	get count() { return this.instances.count; }

	clear() { this.instances.clear(); }

	upload() { this.instances.upload(); }

	// Widths and lengths of heads in pixels of the page; a colour has four numbers.
	push(from, to, color, width, head = 0, id = 0) {
		const start = this.instances.next();
		const { data } = this.instances;
		data.set(from, start);
		data[start + 3] = width * this.ratio;
		data.set(to, start + 4);
		data[start + 7] = head * this.ratio;
		data.set(color, start + 8);
		data[start + 12] = id;
	}

	// `thicker` pixels on each side, for fingers.
	draw(program, size, thicker, counter) {
		const { gl, instances } = this;
		if (!instances.count) return;
		gl.uniform2f(program.uniform('halfSize'), size[0] / 2, size[1] / 2);
		gl.uniform1f(program.uniform('thicker'), thicker);
		gl.bindVertexArray(this.array);
		gl.drawArraysInstanced(gl.TRIANGLES, 0, 9, instances.count);
		counter.calls += 1;
		counter.triangles += 3 * instances.count;
	}
}

export class PointBatch {
	constructor(gl) {
		this.gl = gl;
		this.instances = new Instances(gl, 8);
		this.array = gl.createVertexArray();
		gl.bindVertexArray(this.array);
		gl.bindBuffer(gl.ARRAY_BUFFER, this.instances.buffer);
		gl.enableVertexAttribArray(0);
		gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 32, 0);
		gl.enableVertexAttribArray(1);
		gl.vertexAttribPointer(1, 4, gl.FLOAT, false, 32, 16);
		gl.bindVertexArray(null);
	}

	get count() { return this.instances.count; }

	clear() { this.instances.clear(); }

	upload() { this.instances.upload(); }

	push(point, color) {
		const start = this.instances.next();
		this.instances.data.set(point, start);
		this.instances.data.set(color, start + 4);
	}

	draw(counter) {
		if (!this.count) return;
		this.gl.bindVertexArray(this.array);
		this.gl.drawArrays(this.gl.POINTS, 0, this.count);
		counter.calls += 1;
	}
}

// Cells on each side of the middle, and pieces of a line, so that it can fade.
const CELLS = 20;
const PIECES = 10;

// Squares of one unit around the origin; every tenth line is strong. Fades out towards its edge.
export class Grid {
	constructor(gl) {
		this.gl = gl;
		const numbers = [];
		const fade = (x, y) => Math.max(0, 1 - Math.hypot(x, y) / CELLS) ** 0.7;
		const line = (at, swap) => {
			for (let piece = 0; piece < PIECES; piece++) for (const end of [piece, piece + 1]) {
				const way = CELLS * ((2 * end) / PIECES - 1);
				const [x, y] = swap ? [way, at] : [at, way];
				numbers.push(x, y, at % 10 === 0 ? 1 : 0, fade(x, y));
			}
		};
		for (let at = -CELLS; at <= CELLS; at++) {
			line(at, false);
			line(at, true);
		}
		this.count = numbers.length / 4;
		this.array = gl.createVertexArray();
		gl.bindVertexArray(this.array);
		gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
		gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STATIC_DRAW);
		gl.enableVertexAttribArray(0);
		gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0);
		gl.bindVertexArray(null);
	}

	draw(counter) {
		this.gl.bindVertexArray(this.array);
		this.gl.drawArrays(this.gl.LINES, 0, this.count);
		counter.calls += 1;
	}
}
