// Vectors [x, y, z], quaternions [x, y, z, w], poses { xyz, quat }, and 4 × 4 matrices column by column.
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const along = (a, b, s) => [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
export const distance = (a, b) => length(sub(a, b));
export const mix = (a, b, t) => a.map((x, i) => x + (b[i] - x) * t);
export const clamp = (x, least, most) => Math.min(most, Math.max(least, x));

export function unit(a) {
	const size = length(a);
	return size > 0 ? scale(a, 1 / size) : [0, 0, 1];
}

// The quaternion a ∘ b: first b, then a.
export function compose([ax, ay, az, aw], [bx, by, bz, bw]) {
	return [
		aw * bx + ax * bw + ay * bz - az * by,
		aw * by - ax * bz + ay * bw + az * bx,
		aw * bz + ax * by - ay * bx + az * bw,
		aw * bw - ax * bx - ay * by - az * bz,
	];
}

const inverse = ([x, y, z, w]) => [-x, -y, -z, w];

// v + 2 w (q × v) + 2 q × (q × v)
export function turn(q, v) {
	const t = scale(cross(q, v), 2);
	return add(along(v, t, q[3]), cross(q, t));
}

export function aboutAxis(axis, angle) {
	const s = Math.sin(angle / 2);
	return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

export function normalized(q) {
	const size = Math.hypot(...q);
	return q.map((x) => x / size);
}

// The shortest turn that takes the z axis to a unit vector.
export function turnFromZ(to) {
	if (to[2] < -0.999999) return [1, 0, 0, 0];
	return normalized([-to[1], to[0], 0, 1 + to[2]]);
}

// Roll, pitch and yaw as in URDF: turns about the fixed axes x, y and z, in this order.
export function anglesOf([x, y, z, w]) {
	const sine = clamp(2 * (w * y - z * x), -1, 1);
	if (Math.abs(sine) > 1 - 1e-12) {
		// Roll and yaw turn about the same axis: all of it is called roll.
		return [2 * Math.atan2(x, w), (Math.PI / 2) * sine, 0];
	}
	return [
		Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
		Math.asin(sine),
		Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
	];
}

export function fromAngles([roll, pitch, yaw]) {
	return compose(aboutAxis([0, 0, 1], yaw), compose(aboutAxis([0, 1, 0], pitch), aboutAxis([1, 0, 0], roll)));
}

export const IDENTITY = Object.freeze({ xyz: [0, 0, 0], quat: [0, 0, 0, 1] });

// The pose a ∘ b: b is given in the frame of a.
export function place(a, b) {
	return { xyz: add(a.xyz, turn(a.quat, b.xyz)), quat: compose(a.quat, b.quat) };
}

export const toWorld = (pose, point) => add(pose.xyz, turn(pose.quat, point));

// a⁻¹ ∘ b: the pose b as seen from a.
export function seenFrom(a, b) {
	const back = inverse(a.quat);
	return { xyz: turn(back, sub(b.xyz, a.xyz)), quat: compose(back, b.quat) };
}

export function multiply(a, b) {
	const out = new Float64Array(16);
	for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) {
		let sum = 0;
		for (let k = 0; k < 4; k++) sum += a[4 * k + r] * b[4 * c + k];
		out[4 * c + r] = sum;
	}
	return out;
}

// From the frustum of a camera to the cube of the screen.
export function perspective(halfHeight, aspect, near, far) {
	const out = new Float64Array(16);
	out[0] = 1 / (halfHeight * aspect);
	out[5] = 1 / halfHeight;
	out[10] = (near + far) / (near - far);
	out[11] = -1;
	out[14] = (2 * near * far) / (near - far);
	return out;
}

// The same without vanishing points: a box of this half height, as deep on both sides of the eye.
export function orthographic(halfHeight, aspect, depth) {
	const out = new Float64Array(16);
	out[0] = 1 / (halfHeight * aspect);
	out[5] = 1 / halfHeight;
	out[10] = -1 / depth;
	out[15] = 1;
	return out;
}

// From the world to a camera with these axes: right, up, and back towards the eye.
export function viewMatrix(eye, right, up, back) {
	return Float64Array.of(
		right[0], up[0], back[0], 0,
		right[1], up[1], back[1], 0,
		right[2], up[2], back[2], 0,
		-dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
	);
}

export const degrees = (radians) => (180 * radians) / Math.PI;
export const radians = (angle) => (Math.PI * angle) / 180;
