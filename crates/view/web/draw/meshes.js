// Triangles in buffers: convex meshes, hulls and visual meshes. The same shader attributes as for patches, but constant.
import { write } from './patches.js';

const NOTHING = { kind: 0, radii: [0, 0, 0, 0], form: [0, 0, 0, 0] };
const values = new Float32Array(24);

export class Mesh {
	constructor(gl, { vertices, normals, triangles }) {
		this.gl = gl;
		this.count = triangles ? triangles.length : vertices.length / 3;
		this.array = gl.createVertexArray();
		gl.bindVertexArray(this.array);
		// Without normals the shader takes those of the triangles.
		this.buffers = (normals ? [vertices, normals] : [vertices]).map((numbers, place) => {
			const buffer = gl.createBuffer();
			gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
			gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STATIC_DRAW);
			gl.enableVertexAttribArray(place);
			gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
			return buffer;
		});
		this.indexed = Boolean(triangles);
		if (triangles) {
			const buffer = gl.createBuffer();
			gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
			gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(triangles), gl.STATIC_DRAW);
			this.buffers.push(buffer);
		}
		gl.bindVertexArray(null);
	}

	// Other places and normals for the same triangles.
	update({ vertices, normals }) {
		const { gl } = this;
		[vertices, normals].forEach((numbers, place) => {
			gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[place]);
			gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.DYNAMIC_DRAW);
		});
	}

	// As it was pushed to a list of the scene: { pose, color, alpha, glow, id }.
	draw({ pose, color, alpha, glow, id }, counter) {
		const { gl } = this;
		write(values, 0, NOTHING, pose, color, alpha, glow, id);
		gl.bindVertexArray(this.array);
		for (let place = 2; place <= 7; place++) gl.vertexAttrib4fv(place, values.subarray(4 * place - 8, 4 * place - 4));
		if (this.indexed) gl.drawElements(gl.TRIANGLES, this.count, gl.UNSIGNED_INT, 0);
		else gl.drawArrays(gl.TRIANGLES, 0, this.count);
		counter.calls += 1;
		counter.triangles += this.count / 3;
	}

	dispose() {
		this.buffers.forEach((buffer) => this.gl.deleteBuffer(buffer));
		this.gl.deleteVertexArray(this.array);
	}
}
