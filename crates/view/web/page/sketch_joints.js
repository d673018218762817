// How a bone moves: kind, axis and limits, as fields and as arcs whose ends can be dragged.
import { aboutAxis, along, cross, dot, length, radians, scale, sub, turn, unit } from '../draw/math.js';

export const AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
// Radius of an arc and length of an axis in pixels, and how near a finger must be to the end of an arc.
const ARC = 46;
const AXIS = 64;
const REACH = 16;
const PIECES = 24;
// Angles snap to multiples of 5°, unless Alt is held.
const ANGLE_STEP = 5;
const LENGTH_STEP = 0.005;
// Numbers of places that are tried along a range.
const TRIED = 720;

export class JointEditor {
	constructor(page) { Object.assign(this, { page, drawing: false }); }

	// The parts of a joint's motion: { bone, at, axis, axisIndex, start, turns, limits, part }.
	ranges(bone) {
		if (bone.near == null) return [];
		const { kind, axis, limits } = bone.joint;
		const at = this.page.places.get(bone.near);
		const far = this.page.places.get(bone.ends.find((end) => end !== bone.near));
		const one = (along, part, within) => ({
			bone, at, axis: along, part, limits: within, turns: kind !== 'prismatic', start: startOf(sub(far, at), along),
			axisIndex: AXES.findIndex((known) => Math.abs(dot(known, along)) > 0.999),
		});
		if (kind === 'ball') return AXES.map((along, part) => one(along, part, limits[part]));
		return kind === 'fixed' ? [] : [one(axis, null, limits)];
	}

	pixel(range) { return this.page.view.camera.pixel(range.at); }

	// Where an angle or a length of a range is drawn.
	place(range, value) {
		if (!range.turns) return along(range.at, range.axis, value);
		return along(range.at, turn(aboutAxis(range.axis, value), range.start), ARC * this.pixel(range));
	}

	points(range) {
		const [lower, upper] = range.limits ?? [-Math.PI, Math.PI];
		return Array.from({ length: PIECES + 1 }, (_, k) => this.place(range, lower + ((upper - lower) * k) / PIECES));
	}

	tip(range) { return along(range.at, range.axis, AXIS * this.pixel(range)); }

	// The end of an arc under the finger, of the chosen bone first.
	press(at) {
		const bones = [...this.page.sketch.bones].sort((a, b) => (b.name === this.page.bone) - (a.name === this.page.bone));
		for (const bone of bones) for (const range of this.ranges(bone)) for (const side of range.limits ? [0, 1] : []) {
			const place = this.page.view.project(this.place(range, range.limits[side]));
			if (place && Math.hypot(place[0] - at[0], place[1] - at[1]) < REACH) {
				this.page.select({ bone: bone.name, node: bone.near });
				return { range, side };
			}
		}
		return null;
	}

	// The limit becomes what is drawn nearest to the finger.
	drag({ range, side }, at, isFree) {
		const most = (side ? 1 : -1) * (range.turns ? Math.PI : 1);
		let [best, found] = [Infinity, 0];
		for (let k = 0; k <= TRIED; k++) {
			const value = (most * k) / TRIED;
			const place = this.page.view.project(this.place(range, value));
			const away = Math.hypot(place[0] - at[0], place[1] - at[1]);
			if (away < best) [best, found] = [away, value];
		}
		const step = range.turns ? radians(ANGLE_STEP) : LENGTH_STEP;
		const value = isFree ? found : Math.round(found / step) * step;
		this.setLimit(range.bone, range.part, side, Number(value.toFixed(6)), 'limit');
	}

	setLimit(bone, part, side, value, key = null) {
		const joint = structuredClone(this.page.boneOf(bone.name).joint);
		(part === null ? joint.limits : joint.limits[part])[side] = value;
		this.page.edit({ of: 'joint', bone: bone.name, joint }, key);
	}

	setKind(bone, kind) {
		const axis = bone.joint.axis ?? AXES[1];
		const angles = bone.joint.kind === 'prismatic' || !bone.joint.limits || bone.joint.kind === 'ball' ? [-Math.PI / 2, Math.PI / 2] : bone.joint.limits;
		const joint = {
			fixed: { kind },
			revolute: { kind, axis, limits: angles },
			continuous: { kind, axis },
			prismatic: { kind, axis, limits: [-0.1, 0.1] },
			ball: { kind, limits: AXES.map(() => [-Math.PI / 4, Math.PI / 4]) },
		}[kind];
		this.page.edit({ of: 'joint', bone: bone.name, joint });
	}

	setAxis(axis) {
		const bone = this.page.boneOf(this.page.bone);
		if (!bone?.joint.axis || !(length(axis) > 0)) return;
		this.page.edit({ of: 'joint', bone: bone.name, joint: { ...bone.joint, axis: unit(axis) } });
	}

	// An axis as a stroke.
	draw(from, to) {
		this.drawing = false;
		this.setAxis(sub(to, from));
	}
}

// Where the angle is zero: across the axis, as the bone points if it does.
function startOf(bone, axis) {
	const across = sub(bone, scale(axis, dot(bone, axis)));
	if (length(across) > 0.05 * length(bone)) return unit(across);
	return unit(cross(axis, Math.abs(axis[0]) < 0.9 ? [1, 0, 0] : [0, 0, 1]));
}

