// Shapes as the panel shows them: their fields, and shapes of another kind of about the same size.

export const isSuperquadric = (shape) => shape.type === 'superellipsoid' || shape.type === 'superovoid';

const isLength = (field) => field.quantity === 'length' || field.quantity === 'full_length';

// Label, place in the shape, and factor from metres to what is shown.
export function fieldsOf(kind) {
	return kind.fields.flatMap((field) => {
		const [unit, factor] = isLength(field) || field.quantity === 'coordinate' ? [', mm', 1000] : ['', 1];
		const name = field.name.replaceAll('_', ' ');
		if (field.labels.length === 0) return [[name + unit, [field.name], factor]];
		return field.labels.map((label, i) => [(isLength(field) ? label.replace('-', '−') : `${name} ${label}`) + unit, [field.name, i], factor]);
	});
}

export function withValue(shape, path, value) {
	const copy = structuredClone(shape);
	if (path.length === 1) copy[path[0]] = value;
	else copy[path[0]][path[1]] = value;
	return copy;
}

// A shape of another kind of about the same size; the kind as the server describes it.
export function converted(shape, kind) {
	const [x, y, z] = halfSizes(shape);
	const along = { x, y, z };
	const flat = Math.max(x, y);
	const round = kind.fields.length === 1 ? Math.max(flat, z) : flat;
	const exponent = kind.fields.some((field) => field.quantity === 'taper') ? 0.8 : 0.5;
	const number = (field, label) => {
		if (field.quantity === 'exponent') return shape[field.name] ?? exponent;
		if (!isLength(field)) return 0;
		if (label) return along[label.at(-1)] * (field.quantity === 'full_length' ? 2 : 1);
		if (field.quantity === 'length') return round;
		return kind.type === 'capsule' ? Math.max(2 * (z - flat), 1e-4) : 2 * z;
	};
	const value = (field) => (field.labels.length === 0 ? number(field) : field.labels.map((label) => number(field, label)));
	return { type: kind.type, ...Object.fromEntries(kind.fields.map((field) => [field.name, value(field)])) };
}

// Whether the page can convert it; the others are enclosed by the server.
export const hasSizes = (shape) => Boolean(halfSizes(shape));

function halfSizes(shape) {
	if (shape.radii?.length === 3) return shape.radii;
	if (shape.radii) return [0, 2, 4].map((k) => (shape.radii[k] + shape.radii[k + 1]) / 2);
	if (shape.size) return shape.size.map((s) => s / 2);
	if (shape.length) return [shape.radius, shape.radius, shape.length / 2 + (shape.type === 'capsule' ? shape.radius : 0)];
	if (shape.radius) return [shape.radius, shape.radius, shape.radius];
	return null;
}
