// The shader programs. Surfaces compute their own vertices and normals, so that a shape changes without a new mesh.

// Kinds of patches; the numbers of a shape are packed by `packShape` in patches.js.
export const KINDS = { superquadric: 0, polyEllipsoid: 1, box: 2, cylinder: 3, capsule: 4, cone: 5, plane: 6 };

const HEAD = '#version 300 es\nprecision highp float;\nprecision highp int;\n';

const TURN = `
vec3 turned(vec4 q, vec3 v) {
	vec3 t = 2.0 * cross(q.xyz, v);
	return v + q.w * t + cross(q.xyz, t);
}`;

// A point of a patch and its outward normal, in the frame of the shape. `cell` is a vertex of the grid: column around z,
// row from -z to +z; `way` its directions in the cross-section and in the profile, the larger coordinate of each 1.
const PATCH = `
uniform vec2 cells;
// A point of the unit superellipse |x|^(2/e) + |y|^(2/e) = 1 and the gradient there: sign(x) |x|^(2/e - 1), and so in y.
// With t the smaller coordinate of the direction (the larger is 1), q = t^(2/e - 1) and p = q t:
//   larger = (1 + p)^(-e/2),  smaller = t larger,  larger^(2/e - 1) = 1 / ((1 + p) larger),  smaller^(2/e - 1) = q / ((1 + p) larger)
// No power of zero is taken, and the gradient is finite and never zero, at the poles too.
// Directions are closer together where the curve bends: at the diagonals when e is small, at the axes when it is near 2.
void superellipse(vec2 d, float e, out vec2 at, out vec2 gradient) {
	if (e == 1.0) {
		at = gradient = normalize(d);
		return;
	}
	vec2 a = abs(d);
	float t = min(a.x, a.y);
	t += 0.8 * (1.0 - e) * abs(1.0 - e) * t * (1.0 - t);
	float q = t > 0.0 ? exp2((2.0 / e - 1.0) * log2(t)) : 0.0;
	float p = q * t;
	float larger = exp2(-0.5 * e * log2(1.0 + p));
	vec2 points = vec2(larger, t * larger);
	vec2 slopes = vec2(1.0, q) / ((1.0 + p) * larger);
	bool wide = a.x >= a.y;
	at = sign(d) * (wide ? points : points.yx);
	gradient = sign(d) * (wide ? slopes : slopes.yx);
}

// With (X, Y) on the cross-section, (rho, W) on the profile and g = 1 + taper W:
//   x = r1 g1 rho X,  y = r2 g2 rho Y,  z = r3 W
// The normal is the gradient of (|x/(r1 g1)|^(2/e_xy) + |y/(r2 g2)|^(2/e_xy))^(e_xy/e_z) + |z/r3|^(2/e_z), with g a function of z.
void superquadric(vec4 way, vec3 r, vec2 e, vec2 taper, out vec3 p, out vec3 n) {
	vec2 s, ds, c, dc;
	superellipse(way.xy, e.x, s, ds);
	superellipse(way.zw, e.y, c, dc);
	vec2 g = 1.0 + taper * c.y;
	p = vec3(r.xy * g * c.x * s, r.z * c.y);
	vec2 side = dc.x * ds;
	float tilt = dot(taper * c.x * s / g, side);
	// Multiplied by r3, so that small bodies do not overflow.
	n = vec3(r.z / (r.xy * g) * side, dc.y - tilt);
}

// Rows 0 and 1 are the lower cap, 2 and 3 the side, the rest the upper cap.
vec2 capped(float row) { return vec2(row < 0.5 || row > 4.5 ? 0.0 : 1.0, row < 2.5 ? -1.0 : 1.0); }
vec3 cappedNormal(float row, vec2 side) { return row < 1.5 ? vec3(0, 0, -1) : row > 3.5 ? vec3(0, 0, 1) : vec3(side, 0); }

void patchPoint(int kind, vec2 cell, vec4 way, vec4 radii, vec4 form, out vec3 p, out vec3 n) {
	vec2 around = normalize(way.xy);
	if (kind == ${KINDS.superquadric}) {
		superquadric(way, radii.xyz, form.xy, form.zw, p, n);
	} else if (kind == ${KINDS.polyEllipsoid}) {
		vec3 u, m;
		superquadric(way, vec3(1.0), vec2(1.0), vec2(0.0), u, m);
		vec3 r = mix(radii.xyz, form.xyz, vec3(lessThan(u, vec3(0.0))));
		p = u * r;
		n = u / r * r.z;
	} else if (kind == ${KINDS.box}) {
		// A quarter of the columns for each side; all but the first of them are its far edge.
		float side = floor(4.0 * cell.x / cells.x + 1e-3);
		float far = cell.x - 0.25 * cells.x * side < 0.5 ? -1.0 : 1.0;
		float s = mod(side, 4.0);
		vec2 normal = s < 0.5 ? vec2(1, 0) : s < 1.5 ? vec2(0, 1) : s < 2.5 ? vec2(-1, 0) : vec2(0, -1);
		vec2 profile = capped(cell.y);
		p = radii.xyz * vec3(profile.x * (normal + far * vec2(-normal.y, normal.x)), profile.y);
		n = cappedNormal(cell.y, normal);
	} else if (kind == ${KINDS.cylinder}) {
		vec2 profile = capped(cell.y);
		p = radii.xyz * vec3(profile.x * around, profile.y);
		n = cappedNormal(cell.y, around);
	} else if (kind == ${KINDS.capsule}) {
		// Two half spheres; the side lies between the last row of the lower and the first row of the upper one.
		float half_ = floor(0.5 * cells.y);
		bool upper = cell.y > half_ + 0.5;
		float up = 1.5707963 * (upper ? (cell.y - half_ - 1.0) / (cells.y - half_ - 1.0) : cell.y / half_ - 1.0);
		n = vec3(cos(up) * around, sin(up));
		p = radii.x * n + vec3(0, 0, upper ? radii.z : -radii.z);
	} else if (kind == ${KINDS.cone}) {
		float share = clamp((cell.y - 2.0) / (cells.y - 2.0), 0.0, 1.0);
		bool cap = cell.y < 1.5;
		float rho = cell.y < 0.5 ? 0.0 : 1.0 - share;
		p = vec3(radii.xy * rho * around, radii.z * (2.0 * share - 1.0));
		n = cap ? vec3(0, 0, -1) : vec3(2.0 * radii.z * around, radii.x);
	} else {
		p = vec3(radii.xy * (2.0 * cell / cells - 1.0), 0.0);
		n = vec3(0, 0, 1);
	}
}`;

// Where each instance is (position and kind, quaternion), its numbers, its colour, and what it glows with and its number.
const surfaceVertex = (source) => `${HEAD}
layout(location = 0) in vec3 point;
layout(location = 1) in ${source === 'patch' ? 'vec4 way' : 'vec3 normal'};
layout(location = 2) in vec4 at;
layout(location = 3) in vec4 rotation;
layout(location = 4) in vec4 radii;
layout(location = 5) in vec4 form;
layout(location = 6) in vec4 color;
layout(location = 7) in vec4 glow;
uniform mat4 toScreen;
uniform vec3 eye;
centroid out vec3 normalW;
centroid out vec3 sight;
flat out vec4 paint;
flat out vec4 light;
${TURN}
${source === 'patch' ? PATCH : ''}
void main() {
	vec3 p, n;
	${source === 'patch' ? 'patchPoint(int(at.w + 0.5), point.xy, way, radii, form, p, n);' : 'p = point; n = normal;'}
	vec3 world = at.xyz + turned(rotation, p);
	normalW = dot(n, n) > 0.0 ? turned(rotation, normalize(n)) : vec3(0.0);
	sight = eye - world;
	paint = color;
	light = glow;
	gl_Position = toScreen * vec4(world, 1.0);
}`;

// Light from the sky and from beside the camera; colours are squares of what is shown.
const SURFACE_FRAGMENT = `${HEAD}
centroid in vec3 normalW;
centroid in vec3 sight;
flat in vec4 paint;
flat in vec4 light;
uniform vec3 sun;
uniform vec3 sky;
uniform vec3 ground;
out vec4 shown;
void main() {
	vec3 n = dot(normalW, normalW) > 0.0 ? normalize(normalW) : normalize(cross(dFdx(sight), dFdy(sight))) * (gl_FrontFacing ? 1.0 : -1.0);
	vec3 v = normalize(sight);
	n = gl_FrontFacing ? n : -n;
	float facing = max(dot(n, v), 0.0);
	float lit = max(dot(n, sun), 0.0);
	float shine = max(dot(n, normalize(sun + v)), 0.0);
	shine *= shine; shine *= shine; shine *= shine; shine *= shine;
	float rim = (1.0 - facing) * (1.0 - facing);
	vec3 diffuse = mix(ground, sky, 0.5 + 0.5 * n.z) + vec3(0.72 * lit);
	vec3 c = paint.rgb * diffuse + vec3(0.045 * shine) + light.rgb * (0.45 + 1.1 * rim);
	shown = vec4(sqrt(c), paint.a);
}`;

const ID = `
vec4 idColor(float id) {
	return vec4(mod(floor(id / vec3(1.0, 256.0, 65536.0)), 256.0) / 255.0, 1.0);
}`;

const SURFACE_IDS = `${HEAD}
flat in vec4 light;
out vec4 shown;
${ID}
void main() { shown = idColor(light.w); }`;

// A line of a width in pixels, with an arrow head of a length in pixels at its end. Corners: share of the way, side, head.
const LINE_VERTEX = `${HEAD}
layout(location = 0) in vec3 corner;
layout(location = 2) in vec4 from;
layout(location = 3) in vec4 to;
layout(location = 4) in vec4 color;
layout(location = 5) in float id;
uniform mat4 toScreen;
uniform vec2 halfSize;
uniform float thicker;
flat out vec4 paint;
flat out vec4 light;
void main() {
	vec4 a = toScreen * vec4(from.xyz, 1.0);
	vec4 b = toScreen * vec4(to.xyz, 1.0);
	paint = color;
	light = vec4(0.0, 0.0, 0.0, id);
	// What is behind the eye is cut off first.
	float near = 1e-4 * (abs(a.w) + abs(b.w));
	if (a.w < near && b.w < near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
	if (a.w < near) a = mix(a, b, (near - a.w) / (b.w - a.w));
	if (b.w < near) b = mix(b, a, (near - b.w) / (a.w - b.w));
	vec2 start = a.xy / a.w * halfSize;
	vec2 end = b.xy / b.w * halfSize;
	float reach = distance(start, end);
	vec2 way = reach > 1e-3 ? (end - start) / reach : vec2(1.0, 0.0);
	vec2 side = vec2(-way.y, way.x);
	float head = min(to.w, 0.7 * reach);
	bool atEnd = corner.x > 0.5;
	vec4 clip = atEnd ? b : a;
	vec2 place = atEnd ? end : start;
	if (corner.z > 0.5) {
		place += side * corner.y * (0.4 * head + thicker) - (corner.y == 0.0 ? -thicker * way : way * head);
		clip = b;
	} else {
		place += side * corner.y * (0.5 * from.w + thicker);
		if (atEnd) place -= 0.9 * way * head;
	}
	gl_Position = vec4(place / halfSize * clip.w, clip.z, clip.w);
}`;

const PLAIN_FRAGMENT = `${HEAD}
flat in vec4 paint;
out vec4 shown;
void main() { shown = paint; }`;

// Round dots with a rim.
const POINT_VERTEX = `${HEAD}
layout(location = 0) in vec3 point;
layout(location = 1) in vec4 color;
uniform mat4 toScreen;
uniform float size;
flat out vec4 paint;
void main() {
	paint = color;
	gl_Position = toScreen * vec4(point, 1.0);
	gl_PointSize = size;
}`;

const POINT_FRAGMENT = `${HEAD}
flat in vec4 paint;
uniform float size;
uniform vec4 rimColor;
out vec4 shown;
void main() {
	float r = length(gl_PointCoord - 0.5) * size;
	float inside = clamp(0.5 * size - r, 0.0, 1.0);
	shown = mix(paint, rimColor, clamp(r - 0.5 * size + 2.2, 0.0, 1.0));
	shown.a *= inside;
}`;

// Thin lines that fade out with the distance from the middle.
const GRID_VERTEX = `${HEAD}
layout(location = 0) in vec4 point;
uniform mat4 toScreen;
uniform vec4 middle;
uniform vec4 fine;
uniform vec4 strong;
out vec4 paint;
void main() {
	paint = point.z > 0.5 ? strong : fine;
	paint.a *= point.w;
	gl_Position = toScreen * vec4(middle.xyz + vec3(middle.w * point.xy, 0.0), 1.0);
}`;

const GRID_FRAGMENT = `${HEAD}
in vec4 paint;
out vec4 shown;
void main() { shown = paint; }`;

export function makePrograms(gl) {
	const patch = surfaceVertex('patch');
	const mesh = surfaceVertex('mesh');
	return {
		patches: program(gl, patch, SURFACE_FRAGMENT),
		patchIds: program(gl, patch, SURFACE_IDS),
		meshes: program(gl, mesh, SURFACE_FRAGMENT),
		meshIds: program(gl, mesh, SURFACE_IDS),
		lines: program(gl, LINE_VERTEX, PLAIN_FRAGMENT),
		lineIds: program(gl, LINE_VERTEX, SURFACE_IDS),
		points: program(gl, POINT_VERTEX, POINT_FRAGMENT),
		grid: program(gl, GRID_VERTEX, GRID_FRAGMENT),
	};
}

// A program and where its uniforms are. Compiling is started for all before the first is waited for by its use.
function program(gl, vertex, fragment) {
	const made = gl.createProgram();
	const shaders = [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]].map(([type, source]) => {
		const shader = gl.createShader(type);
		gl.shaderSource(shader, source);
		gl.compileShader(shader);
		gl.attachShader(made, shader);
		return shader;
	});
	gl.linkProgram(made);
	if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) {
		throw new Error(`A shader does not compile: ${shaders.map((shader) => gl.getShaderInfoLog(shader)).join('\n')}${gl.getProgramInfoLog(made)}`);
	}
	shaders.forEach((shader) => gl.deleteShader(shader));
	const places = new Map();
	return {
		made,
		uniform(name) {
			if (!places.has(name)) places.set(name, gl.getUniformLocation(made, name));
			return places.get(name);
		},
	};
}
