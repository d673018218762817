// What is drawn of a sketch beside its surfaces: bones, nodes, the ranges of joints as arcs, and the stroke under the finger.
import { rgb } from '../draw/themes.js';

const BONE = 0x3366e0;
const CHOSEN = 0xf2a100;
const NODE = 0x12a150;
const LOOSE = 0xd9303e;
const INK = 0x12a150;
const AXES = [0xe6383f, 0x33a843, 0x336bf2];
// Widths in pixels.
const WIDE = 5;
const THIN = 1.6;

const color = (hex, alpha = 1) => [...rgb(hex), alpha];

export class SketchLines {
	constructor(page) { this.page = page; }

	draw() {
		const { page } = this;
		const { renderer: { marks, dots } } = page.view;
		const { bones, root } = page.sketch;
		for (const bone of bones) {
			const ends = bone.ends.map((end) => page.places.get(end));
			const isLoose = bone.name !== root && bone.near == null;
			const hue = bone.name === page.bone ? CHOSEN : isLoose ? LOOSE : BONE;
			marks.push(...ends, color(hue), bone.name === root ? 1.5 * WIDE : WIDE);
		}
		if (page.tool === 'joints') for (const bone of bones) this.joint(bone);
		for (const [id, xyz] of page.places) dots.push(xyz, color(id === page.node ? CHOSEN : NODE));
		const stroke = page.stroke?.map((at) => page.spot(at)) ?? [];
		for (let k = 1; k < stroke.length; k++) marks.push(stroke[k - 1], stroke[k], color(INK), 3);
	}

	// The range of a joint: a fan about its axis, or a way along it. The ends can be dragged.
	joint(bone) {
		const { marks, dots } = this.page.view.renderer;
		const isChosen = bone.name === this.page.bone;
		for (const range of this.page.joints.ranges(bone)) {
			const hue = AXES[range.axisIndex] ?? CHOSEN;
			const points = this.page.joints.points(range);
			const alpha = isChosen ? 1 : 0.45;
			for (let k = 1; k < points.length; k++) marks.push(points[k - 1], points[k], color(hue, alpha), isChosen ? 3 : THIN);
			if (range.turns) for (let k = 0; k < points.length; k += 3) marks.push(range.at, points[k], color(hue, 0.35 * alpha), THIN);
			marks.push(range.at, this.page.joints.tip(range), color(hue, alpha), 2, 9);
			if (range.limits) for (const end of [points[0], points.at(-1)]) dots.push(end, color(hue, alpha));
		}
	}
}
