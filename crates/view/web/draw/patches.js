// Surfaces as instances of one patch: a grid of vertices that the vertex shader puts onto the surface.
import { KINDS } from './shaders.js';

// Floats of an instance: position and kind, quaternion, radii, form, colour, glow and number.
const STRIDE = 24;
// Grids from fine to coarse, columns and rows, and up to how many pixels of radius a coarse one will do: n columns are off by
// at most 1 - cos(π/n) of the radius, here 0.4 pixels. Columns are a multiple of four, so that the axes of a shape are on the
// grid.
const GRIDS = [[36, 22], [24, 14], [16, 8]];
const PIXELS = [48, 21];
const levelFor = (pixels) => PIXELS.filter((most) => pixels <= most).length;
const BAND = 12;

// The numbers of a shape as the shader takes them: kind, four radii, four numbers of its form. None for shapes that are
// drawn from triangles.
export function packShape(shape) {
	const { type, radii, radius, length, size, taper = [0, 0] } = shape;
	const half = length / 2;
	switch (type) {
		case 'sphere': return pack(KINDS.superquadric, [radius, radius, radius], [1, 1, 0, 0]);
		case 'ellipsoid': return pack(KINDS.superquadric, radii, [1, 1, 0, 0]);
		case 'superellipsoid':
		case 'superovoid': return pack(KINDS.superquadric, radii, [shape.exponent_xy, shape.exponent_z, ...taper]);
		case 'poly_ellipsoid': return pack(KINDS.polyEllipsoid, [radii[0], radii[2], radii[4]], [radii[1], radii[3], radii[5], 0]);
		case 'box': return pack(KINDS.box, size.map((s) => s / 2));
		case 'cylinder': return pack(KINDS.cylinder, [radius, radius, half]);
		case 'capsule': return pack(KINDS.capsule, [radius, radius, half]);
		case 'cone': return pack(KINDS.cone, [radius, radius, half]);
		case 'half_space': return pack(KINDS.plane, [1, 1, 0]);
		default: return null;
	}
}

const pack = (kind, [x, y, z], form = [0, 0, 0, 0]) => ({ kind, radii: [x, y, z, 0], form });

// Half the size of the box around a shape, in its own frame, and its middle; none for what has no end.
export function boxOf(shape) {
	const packed = packShape(shape);
	if (shape.type === 'half_space') return null;
	if (!packed) return shape.vertices ? boxAround(shape.vertices) : null;
	const [x, y, z] = packed.radii;
	if (packed.kind === KINDS.polyEllipsoid) {
		const less = packed.form;
		return { middle: [x - less[0], y - less[1], z - less[2]].map((s) => s / 2), half: [x + less[0], y + less[1], z + less[2]].map((s) => s / 2) };
	}
	if (packed.kind === KINDS.capsule) return { middle: [0, 0, 0], half: [x, y, z + x] };
	const [, , tx, ty] = packed.form;
	return { middle: [0, 0, 0], half: [x * (1 + Math.abs(tx)), y * (1 + Math.abs(ty)), z] };
}

function boxAround(vertices) {
	const [least, most] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
	for (let i = 0; i < vertices.length; i++) {
		least[i % 3] = Math.min(least[i % 3], vertices[i]);
		most[i % 3] = Math.max(most[i % 3], vertices[i]);
	}
	if (!vertices.length) return null;
	return { middle: least.map((x, i) => (x + most[i]) / 2), half: least.map((x, i) => (most[i] - x) / 2) };
}

// How much of a corner of its box a shape fills: all of a box, about 0.65 of a ball.
export function cornerShare(shape) {
	if (shape.type === 'box' || shape.vertices) return 1;
	const bend = (e) => 1.12 * 3 ** (-0.5 * Math.min(1, e));
	if (shape.exponent_xy) return Math.min(1, bend(Math.min(shape.exponent_xy, shape.exponent_z)));
	return shape.type === 'cylinder' || shape.type === 'cone' ? 0.85 : 0.65;
}

// A buffer of instances that grows, and how it is read.
export class Instances {
	constructor(gl, stride) {
		Object.assign(this, { gl, stride, count: 0, data: new Float32Array(stride * 64), buffer: gl.createBuffer(), room: 0 });
	}

	clear() { this.count = 0; }

	// Where the floats of the next instance go.
	next() {
		const start = this.count++ * this.stride;
		if (start + this.stride > this.data.length) {
			const larger = new Float32Array(2 * this.data.length);
			larger.set(this.data);
			this.data = larger;
		}
		return start;
	}

	upload() {
		const { gl } = this;
		if (!this.count) return;
		gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
		if (this.room < this.data.length) {
			gl.bufferData(gl.ARRAY_BUFFER, this.data, gl.DYNAMIC_DRAW);
			this.room = this.data.length;
		} else {
			gl.bufferSubData(gl.ARRAY_BUFFER, 0, this.data, 0, this.count * this.stride);
		}
	}

	// Attributes from this place on, four floats each, one value per instance.
	attributes(first, last) {
		const { gl } = this;
		gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
		for (let place = first; place <= last; place++) {
			gl.enableVertexAttribArray(place);
			gl.vertexAttribPointer(place, 4, gl.FLOAT, false, 4 * this.stride, 16 * (place - first));
			gl.vertexAttribDivisor(place, 1);
		}
	}
}

// Grids of vertices that all batches share.
export class Grids {
	constructor(gl) {
		this.gl = gl;
		this.all = GRIDS.map(([columns, rows]) => this.make(columns, rows));
	}

	// In bands of a few columns, from row to row, so that a vertex is still in the cache when the next row uses it.
	make(columns, rows) {
		const { gl } = this;
		const numbers = [];
		const triangles = [];
		for (let first = 0; first < columns; first += BAND) {
			const start = numbers.length / 7;
			const wide = Math.min(BAND, columns - first);
			for (let row = 0; row <= rows; row++) for (let column = first; column <= first + wide; column++) {
				numbers.push(column, row, 0, ...way((2 * Math.PI * column) / columns), ...way(Math.PI * (row / rows - 0.5)));
			}
			for (let row = 0; row < rows; row++) for (let column = 0; column < wide; column++) {
				const a = start + row * (wide + 1) + column;
				const b = a + wide + 1;
				triangles.push(a, a + 1, b + 1, a, b + 1, b);
			}
		}
		const vertices = gl.createBuffer();
		gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
		gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STATIC_DRAW);
		const indices = gl.createBuffer();
		gl.bindVertexArray(null);
		gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
		gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(triangles), gl.STATIC_DRAW);
		return { columns, rows, vertices, indices, count: triangles.length };
	}
}

// A direction whose larger coordinate is 1, and exactly 0 on the axes.
function way(angle) {
	const d = [Math.cos(angle), Math.sin(angle)].map((x) => (Math.abs(x) < 1e-12 ? 0 : x));
	const larger = Math.max(Math.abs(d[0]), Math.abs(d[1]));
	return d.map((x) => x / larger);
}

// A batch of patches that is drawn by one call for each grid.
export class PatchBatch {
	constructor(gl, grids) {
		Object.assign(this, { gl, grids, lists: grids.all.map(() => new Instances(gl, STRIDE)) });
		this.arrays = grids.all.map((grid, level) => {
			const array = gl.createVertexArray();
			gl.bindVertexArray(array);
			gl.bindBuffer(gl.ARRAY_BUFFER, grid.vertices);
			for (const [place, size, offset] of [[0, 3, 0], [1, 4, 12]]) {
				gl.enableVertexAttribArray(place);
				gl.vertexAttribPointer(place, size, gl.FLOAT, false, 28, offset);
			}
			gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, grid.indices);
			this.lists[level].attributes(2, 7);
			gl.bindVertexArray(null);
			return array;
		});
	}

	get count() { return this.lists.reduce((sum, { count }) => sum + count, 0); }

	clear() { this.lists.forEach((list) => list.clear()); }

	upload() { this.lists.forEach((list) => list.upload()); }

	// `pixels` is half its size on the screen.
	push(pixels, ...rest) {
		const list = this.lists[levelFor(pixels)];
		const start = list.next();
		write(list.data, start, ...rest);
	}

	draw(program, counter) {
		const { gl } = this;
		this.lists.forEach(({ count }, level) => {
			if (!count) return;
			const grid = this.grids.all[level];
			gl.uniform2f(program.uniform('cells'), grid.columns, grid.rows);
			gl.bindVertexArray(this.arrays[level]);
			gl.drawElementsInstanced(gl.TRIANGLES, grid.count, gl.UNSIGNED_SHORT, 0, count);
			counter.calls += 1;
			counter.triangles += (grid.count / 3) * count;
		});
	}
}

export function write(data, start, packed, { xyz, quat }, color, alpha, glow, id) {
	const { kind, radii, form } = packed;
	data[start] = xyz[0]; data[start + 1] = xyz[1]; data[start + 2] = xyz[2]; data[start + 3] = kind;
	for (let k = 0; k < 4; k++) {
		data[start + 4 + k] = quat[k];
		data[start + 8 + k] = radii[k];
		data[start + 12 + k] = form[k];
	}
	for (let k = 0; k < 3; k++) {
		data[start + 16 + k] = color[k];
		data[start + 20 + k] = glow[k];
	}
	data[start + 19] = alpha;
	data[start + 23] = id;
}
