// Lines between nearest points, contact points, normals, and labels that keep out of each other's way.
import { along } from './math.js';
import { rgb } from './themes.js';

const MAX_LABELS = 14;
// Widths in pixels.
const LINE = 2.2;
const FAINT = 1.2;
const STRONG = 4.5;

export class Markers {
	constructor(view, labels) {
		this.view = view;
		this.labels = labels;
		this.show = { distances: true, contacts: true, normals: true, labels: true, names: false };
		this.pairs = [];
		this.chief = new Set();
		this.pool = [];
		view.addEventListener('drawing', () => this.draw());
		view.addEventListener('drawn', () => this.placeLabels());
	}

	set(pairs, hovered) {
		this.pairs = pairs;
		this.hovered = hovered;
		this.chief = chiefPairs(pairs);
		this.view.redraw();
	}

	// How many of each kind were drawn last.
	draw() {
		const { renderer: { marks, dots }, colors } = this.view;
		const color = (hex, alpha = 1) => [...rgb(hex), alpha];
		const counts = { distances: 0, contacts: 0, normals: 0 };
		marks.clear();
		dots.clear();
		const length = 0.05 * (this.size ??= this.view.size);
		for (const pair of this.pairs) {
			if (isSame(pair, this.hovered)) marks.push(pair.point_a, pair.point_b, color(colors.strong), STRONG);
			if (!pair.contact && this.show.distances) {
				const chief = this.chief.has(pair);
				marks.push(pair.point_a, pair.point_b, color(colors.line, chief ? 1 : 0.35), chief ? LINE : FAINT);
				counts.distances += 1;
			}
			if (!pair.contact) continue;
			if (this.show.contacts) for (const point of pair.points ?? []) {
				dots.push(point, color(colors.contact));
				counts.contacts += 1;
			}
			if (this.show.normals) {
				const from = pair.points?.[0] ?? pair.point_a;
				marks.push(from, along(from, pair.normal, length), color(colors.normal), LINE, 11);
				counts.normals += 1;
			}
		}
		this.counts = counts;
	}

	// The length of normals fits the size of what is shown.
	measure() { this.size = null; }

	// Contacts and near pairs first; a label that would cover another is left out.
	placeLabels() {
		const wanted = [];
		if (this.show.labels) {
			for (const pair of this.pairs.slice(0, 60)) {
				const strong = isSame(pair, this.hovered);
				if (!strong && !this.chief.has(pair)) continue;
				const middle = pair.point_a.map((x, i) => (x + pair.point_b[i]) / 2);
				wanted.push({ at: middle, text: `${(1000 * pair.distance).toFixed(1)} mm`, kind: strong ? 'strong' : pair.contact ? 'contact' : '', strong });
			}
			wanted.sort((a, b) => b.strong - a.strong);
			wanted.length = Math.min(wanted.length, MAX_LABELS);
		}
		if (this.show.names) {
			for (const [name, { surfaces }] of this.view.bodies) {
				if (surfaces[0]?.world) wanted.push({ at: surfaces[0].world.xyz, text: name, kind: 'name' });
			}
		}
		const taken = [];
		let used = 0;
		for (const label of wanted) {
			const at = this.view.project(label.at);
			if (!at) continue;
			const width = 7.2 * label.text.length + 14;
			const box = [at[0] + 12, at[1] - 26, at[0] + 12 + width, at[1] - 6];
			if (taken.some((other) => box[0] < other[2] + 3 && other[0] < box[2] + 3 && box[1] < other[3] + 3 && other[1] < box[3] + 3)) continue;
			taken.push(box);
			const element = this.pool[used++] ?? this.newLabel();
			show(element, label.text, `label ${label.kind}`, `translate(${box[0].toFixed(1)}px, ${box[1].toFixed(1)}px)`);
		}
		for (; used < this.pool.length; used++) hide(this.pool[used]);
	}

	newLabel() {
		const element = document.createElement('span');
		const label = { element, text: '', kind: '', place: '', hidden: false };
		this.labels.append(element);
		this.pool.push(label);
		return label;
	}
}

function isSame(pair, other) {
	return Boolean(other) && pair.a === other.a && pair.b === other.b;
}

// The pairs that matter: those in which each body is the other's nearest. Contacts that share a body with a deeper one,
// and distances past a nearer body, are drawn too, but less.
function chiefPairs(pairs) {
	const nearest = new Map();
	for (const pair of pairs) for (const name of [pair.a, pair.b]) if (!nearest.has(name)) nearest.set(name, pair);
	return new Set(pairs.filter((pair) => nearest.get(pair.a) === pair && nearest.get(pair.b) === pair));
}

// Labels are touched only where they differ: every write to the page costs a layout.
function show(label, text, kind, place) {
	const { element } = label;
	if (label.text !== text) element.textContent = label.text = text;
	if (label.kind !== kind) element.className = label.kind = kind;
	if (label.place !== place) element.style.transform = label.place = place;
	if (label.hidden) element.hidden = label.hidden = false;
}

function hide(label) {
	if (!label.hidden) label.element.hidden = label.hidden = true;
}
