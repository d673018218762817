// One picture: passes over the batches, and the buffer of numbers in which things are picked.
import { Grid, LineBatch, PointBatch } from './lines.js';
import { Grids, PatchBatch } from './patches.js';
import { makePrograms } from './shaders.js';

// Side of the buffer in which a place is looked for, in pixels; odd, so that it has a middle.
const PICK = 25;

export class Renderer {
	constructor(canvas) {
		this.canvas = canvas;
		const gl = canvas.getContext('webgl2', { antialias: true, alpha: false });
		if (!gl) throw new Error('This browser has no WebGL 2, which the scene is drawn with.');
		this.gl = gl;
		// Counted for the curious: what the last picture took, and how many pictures there were.
		this.stats = { calls: 0, triangles: 0, frames: 0 };
		this.build();
	}

	build() {
		const { gl } = this;
		this.programs = makePrograms(gl);
		const grids = new Grids(gl);
		this.solid = new PatchBatch(gl, grids);
		this.glass = new PatchBatch(gl, grids);
		this.squares = new PatchBatch(gl, grids);
		this.frames = new LineBatch(gl);
		this.marks = new LineBatch(gl);
		this.handleLines = new LineBatch(gl);
		this.dots = new PointBatch(gl);
		this.grid = new Grid(gl);
		this.target = pickTarget(gl);
	}

	get lineBatches() { return [this.frames, this.marks, this.handleLines]; }

	resize(width, height, ratio) {
		Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
		this.ratio = ratio;
		for (const lines of this.lineBatches) lines.ratio = ratio;
	}

	use(program, scene) {
		const { gl } = this;
		gl.useProgram(program.made);
		gl.uniformMatrix4fv(program.uniform('toScreen'), false, new Float32Array(scene.toScreen));
		const eye = program.uniform('eye');
		if (eye) gl.uniform3fv(eye, scene.eye);
		const sun = program.uniform('sun');
		if (sun) {
			gl.uniform3fv(sun, scene.sun);
			gl.uniform3fv(program.uniform('sky'), scene.sky);
			gl.uniform3fv(program.uniform('ground'), scene.ground);
		}
		return program;
	}

	// scene: toScreen, eye, part of the canvas (left, top, width and height in pixels of the page), lights, background, grid, and lists of meshes { mesh, pose, color, alpha, glow, id }: solid, glass,
	// visual and outside. The batches are filled by their owner.
	draw(scene) {
		const { gl, programs, stats } = this;
		const [left, low, ...size] = this.pixels(scene);
		Object.assign(stats, { calls: 0, triangles: 0, frames: stats.frames + 1 });
		gl.bindFramebuffer(gl.FRAMEBUFFER, null);
		gl.viewport(left, low, ...size);
		gl.enable(gl.SCISSOR_TEST);
		gl.scissor(left, low, ...size);
		gl.clearColor(...scene.background, 1);
		gl.enable(gl.DEPTH_TEST);
		gl.depthFunc(gl.LEQUAL);
		gl.depthMask(true);
		gl.colorMask(true, true, true, true);
		gl.disable(gl.BLEND);
		gl.enable(gl.CULL_FACE);
		gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
		for (const batch of [this.solid, this.glass, this.squares, ...this.lineBatches, this.dots]) batch.upload();

		this.surfaces(scene, this.solid, scene.solid);
		this.drawOutside(scene);
		gl.enable(gl.BLEND);
		gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
		this.drawGrid(scene);
		this.drawVisuals(scene);
		gl.depthMask(false);
		this.surfaces(scene, this.glass, scene.glass);
		gl.disable(gl.CULL_FACE);
		this.lines(scene, this.frames, size);
		gl.disable(gl.DEPTH_TEST);
		this.lines(scene, this.marks, size);
		if (this.dots.count) {
			const program = this.use(programs.points, scene);
			gl.uniform1f(program.uniform('size'), 9 * this.ratio);
			gl.uniform4fv(program.uniform('rimColor'), scene.dotRim);
			this.dots.draw(stats);
		}
		if (this.squares.count) this.squares.draw(this.use(programs.patches, scene), stats);
		this.lines(scene, this.handleLines, size);
		gl.disable(gl.SCISSOR_TEST);
		gl.bindVertexArray(null);
	}

	// The part of the canvas that a scene is drawn on: left, bottom, width and height in its own pixels.
	pixels({ part: [x, y, width, height] }) {
		const { gl, ratio } = this;
		const [left, right] = [x, x + width].map((edge) => Math.round(edge * ratio));
		const [top, bottom] = [y, y + height].map((edge) => Math.round(edge * ratio));
		return [left, gl.drawingBufferHeight - bottom, right - left, bottom - top];
	}

	surfaces(scene, batch, meshes) {
		const { programs, stats } = this;
		if (batch.count) batch.draw(this.use(programs.patches, scene), stats);
		if (!meshes.length) return;
		this.use(programs.meshes, scene);
		for (const item of meshes) item.mesh.draw(item, stats);
	}

	// Parts of meshes, seen from both sides.
	drawOutside(scene) {
		const { gl, stats } = this;
		if (!scene.outside.length) return;
		this.use(this.programs.meshes, scene);
		gl.disable(gl.CULL_FACE);
		for (const item of scene.outside) item.mesh.draw(item, stats);
		gl.enable(gl.CULL_FACE);
	}

	// Their depths first, so that of each only the nearest layer is seen.
	drawVisuals(scene) {
		const { gl, stats } = this;
		if (!scene.visual.length) return;
		this.use(this.programs.meshes, scene);
		// Many visual meshes are not closed, or inside out.
		gl.disable(gl.CULL_FACE);
		for (const isColor of [false, true]) {
			gl.colorMask(isColor, isColor, isColor, isColor);
			for (const item of scene.visual) item.mesh.draw(item, stats);
		}
		gl.enable(gl.CULL_FACE);
	}

	lines(scene, batch, size) {
		if (batch.count) batch.draw(this.use(this.programs.lines, scene), size, 0, this.stats);
	}

	drawGrid(scene) {
		if (!scene.grid) return;
		const { gl } = this;
		const program = this.use(this.programs.grid, scene);
		gl.uniform4fv(program.uniform('middle'), scene.grid.middle);
		gl.uniform4fv(program.uniform('fine'), scene.grid.fine);
		gl.uniform4fv(program.uniform('strong'), scene.grid.strong);
		gl.depthMask(false);
		this.grid.draw(this.stats);
		gl.depthMask(true);
	}

	// The number at a place (pixels of the page), or the nearest one within reach of it; 0 for nothing. `what` is 'surfaces' or
	// 'handles'. The batches are those of the last picture.
	pick(scene, [x, y], reach, what) {
		const { gl, programs, ratio } = this;
		const [, , width, height] = this.pixels(scene);
		const counter = { calls: 0, triangles: 0 };
		// A view of the pixels around the place.
		const [ndcX, ndcY] = [(2 * (x - scene.part[0]) * ratio) / width - 1, 1 - (2 * (y - scene.part[1]) * ratio) / height];
		const [sx, sy] = [width / PICK, height / PICK];
		const m = scene.toScreen;
		const zoomed = new Float64Array(16);
		for (let c = 0; c < 4; c++) {
			zoomed[4 * c] = sx * (m[4 * c] - ndcX * m[4 * c + 3]);
			zoomed[4 * c + 1] = sy * (m[4 * c + 1] - ndcY * m[4 * c + 3]);
			zoomed[4 * c + 2] = m[4 * c + 2];
			zoomed[4 * c + 3] = m[4 * c + 3];
		}
		const near = { ...scene, toScreen: zoomed };
		gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
		gl.viewport(0, 0, PICK, PICK);
		gl.clearColor(0, 0, 0, 0);
		gl.colorMask(true, true, true, true);
		gl.depthMask(true);
		gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
		gl.disable(gl.BLEND);
		if (what === 'surfaces') {
			gl.enable(gl.DEPTH_TEST);
			gl.enable(gl.CULL_FACE);
			for (const [batch, meshes] of [[this.solid, scene.solid], [this.glass, scene.glass]]) {
				if (batch.count) batch.draw(this.use(programs.patchIds, near), counter);
				this.use(programs.meshIds, near);
				for (const item of meshes) item.mesh.draw(item, counter);
			}
		} else {
			gl.disable(gl.DEPTH_TEST);
			gl.disable(gl.CULL_FACE);
			if (this.squares.count) this.squares.draw(this.use(programs.patchIds, near), counter);
			this.handleLines.draw(this.use(programs.lineIds, near), [PICK, PICK], 2 * ratio, counter);
		}
		const pixels = new Uint8Array(4 * PICK * PICK);
		gl.readPixels(0, 0, PICK, PICK, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
		gl.bindFramebuffer(gl.FRAMEBUFFER, null);
		gl.bindVertexArray(null);
		return nearest(pixels, reach * ratio);
	}
}

function nearest(pixels, reach) {
	let [best, found] = [reach * reach + 0.5, 0];
	const middle = (PICK - 1) / 2;
	for (let i = 0; i < PICK * PICK; i++) {
		const number = pixels[4 * i] + 256 * pixels[4 * i + 1] + 65536 * pixels[4 * i + 2];
		const away = (i % PICK - middle) ** 2 + (Math.floor(i / PICK) - middle) ** 2;
		if (number && away < best) [best, found] = [away, number];
	}
	return found;
}

function pickTarget(gl) {
	const target = gl.createFramebuffer();
	gl.bindFramebuffer(gl.FRAMEBUFFER, target);
	for (const [place, format] of [[gl.COLOR_ATTACHMENT0, gl.RGBA8], [gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24]]) {
		const buffer = gl.createRenderbuffer();
		gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
		gl.renderbufferStorage(gl.RENDERBUFFER, format, PICK, PICK);
		gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
	}
	gl.bindFramebuffer(gl.FRAMEBUFFER, null);
	return target;
}
