// Puts the page together: what comes from the server goes to the parts, what the parts want goes to the server.
import { Markers } from './draw/markers.js';
import { Scene3d } from './draw/scene3d.js';
import { Actions } from './page/actions.js';
import { ClothPanel } from './page/cloth.js';
import { Connection } from './page/connection.js';
import { Cover } from './page/cover.js';
import { byId, element } from './page/dom.js';
import { Editor } from './page/editor.js';
import { Filter } from './page/filter.js';
import { Fit } from './page/fit.js';
import { GamePage } from './page/game.js';
import { Joints } from './page/joints.js';
import { listenToKeys } from './page/keyboard.js';
import { Objects } from './page/objects.js';
import { Pairs } from './page/pairs.js';
import { Plan } from './page/plan.js';
import { Plot } from './page/plot.js';
import { Simulate } from './page/simulate.js';
import { SketchPage } from './page/sketch.js';
import { Times } from './page/times.js';
import { Visuals } from './page/visuals.js';
import { loadWorld } from './page/world.js';

let picture = null;
let frame = null;
let hovered = null;

const view = startView();
const markers = new Markers(view, byId('labels'));
const connection = new Connection({
	connected: () => notice(''),
	disconnected: () => notice('The connection to the scene is lost. Trying again …'),
	refused: (message) => {
		notice(message.reason, 5000);
		// What was shown ahead of the answer goes back to what the server has.
		if (!picture) return;
		showPicture();
		editor.restore();
	},
	scene: setPicture,
	fit: (message) => fit.set(message),
	plan: (message) => plan.set(message),
	simulation: (message) => simulate.set(message),
	cloth: (message) => cloth.set(message),
	sketch: (message) => sketch.set(message),
	game: (message) => game.set(message),
	frame: setFrame,
	curve: (curve) => {
		plot.setCurve(curve);
		view.setExtent(curve.extent);
		markers.measure();
	},
});
const pairs = new Pairs(document.querySelector('#pairs tbody'), (pair) => {
	hovered = pair;
	if (frame && !sketch.active) showFrame();
});
const filter = new Filter(byId('between'), connection);
const plot = new Plot(byId('plot'), byId('plot-legend'), (time) => connection.sendLast('seek', { do: 'seek', time }));
const joints = new Joints(byId('joints'), byId('joint-filter'), byId('joints-hint'), connection);
const times = new Times(document.querySelector('#times tbody'), view);
const sketch = new SketchPage(view, connection, byId('draw-section'), byId('draw'), byId('draw-hint'), {
	show: () => picture && showPicture(),
	editing: () => Boolean(picture?.editing),
});
const game = new GamePage(view, connection, byId('game-section'), byId('game'), byId('game-hint'), { show: () => picture && showPicture() });
// While a robot is drawn, its surfaces are edited.
const edits = { sendLast: (key, command) => connection.sendLast(key, sketch.routed(command)) };
const editor = new Editor(view, edits, { box: byId('surface'), name: byId('surface-name'), section: byId('surface-section') });
const objects = new Objects(view, editor, connection, byId('objects'), byId('objects-hint'));
const fit = new Fit(connection, byId('fit-section'), byId('fit'), byId('fit-hint'));
const plan = new Plan(view, connection, byId('plan-section'), byId('plan'), byId('plan-hint'));
const simulate = new Simulate(view, connection, byId('simulate-section'), byId('simulate'), byId('simulate-hint'));
const cloth = new ClothPanel(view, connection, byId('cloth-section'), byId('cloth'), byId('cloth-hint'));
const cover = new Cover(view, byId('cover'));
// What is selected in the scene.
const chosen = () => (sketch.active ? null : editor.target);
editor.fitLink = (link) => fit.fitLink(link);
editor.addEventListener('selected', () => {
	fit.select(chosen());
	plan.select(chosen());
	cover.update(picture, chosen()?.link);
});
const visuals = new Visuals(view, (text) => notice(text, 8000));

view.addEventListener('tick', () => connection.takeFrame());

function startView() {
	try {
		return new Scene3d(byId('canvas'));
	} catch (error) {
		notice(error.message);
		throw error;
	}
}

// ---- what the server says

// Writes a text only when it is another one: every write to the page costs a layout.
const written = new Map();
function write(id, text) {
	if (written.get(id) === text) return;
	written.set(id, text);
	byId(id).textContent = text;
}

function setPicture(message) {
	picture = message;
	showPicture();
	objects.setPicture(message);
	joints.setPicture(message);
	game.setPicture(message);
	filter.setGroups(message.groups);
	fit.setPicture(message);
	plan.setPicture(message);
	simulate.setPicture(message);
	cloth.setPicture(message);
	if (!message.movement) plot.setCurve(null);
	cover.update(message, chosen()?.link);
	visuals.update(message.robot_number);
	sketch.panel.render();
	if (!message.links.some((link) => link.surfaces.length) && location.hash === '#draw' && !sketch.opened) sketch.open(true);
	byId('player').hidden = !message.movement && !message.can_follow;
	for (const id of ['play', 'time', 'clock', 'speed']) byId(id).hidden = !message.movement;
	document.body.classList.toggle('still', byId('player').hidden);
	byId('follow').hidden = !message.can_follow;
	if (message.movement) [byId('time').min, byId('time').max] = message.movement;
	const close = byId('close');
	if (document.activeElement !== close) close.value = String(Number((1000 * message.close_distance).toPrecision(6)));
	document.querySelector('[data-switch=visuals]').disabled = !message.has_geometry;
}

// What the scene or the sketch consists of.
function showPicture() {
	const shown = sketch.shown(picture);
	view.setPicture(sketch.active ? shown : { ...shown, objects: [...shown.objects, ...game.objects()] });
	editor.setPicture(shown);
	actions.setPicture(shown);
	write('robot', shown.robot);
	const count = shown.objects.length + shown.hidden_objects;
	write('counts', `${view.surfaceCount} surfaces${count ? `, ${count} ${count === 1 ? 'object' : 'objects'}` : ''}`);
	if (sketch.active) {
		view.paint(new Map(), []);
		markers.set([], null);
	} else if (frame?.revision === picture.revision) showScene(frame);
}

function showScene(message) {
	view.setPoses(message.links);
	showFrame();
}

function setFrame(message) {
	// A frame of another revision has other links or bodies: the picture comes first, and a frame for it.
	if (!picture || message.revision !== picture.revision) return;
	frame = message;
	joints.setPositions(message.positions);
	plan.setPositions(message.positions);
	const slider = byId('time');
	if (!slider.held) slider.value = String(message.time);
	write('clock', message.source === 'movement' ? `${message.time.toFixed(2)} s` : message.source);
	const running = message.playing && message.source === 'movement';
	write('play', running ? '❚❚' : '▶');
	byId('follow').classList.toggle('on', message.source === 'live');
	filter.set(message.table.between);
	plot.setMoment(message.time, message.least, message.table.pairs[0]?.distance ?? null, message.source);
	if (message.notice) notice(message.notice);
	else if (byId('notice').dataset.from === 'frame') notice('');
	byId('notice').dataset.from = message.notice ? 'frame' : '';
	times.set({ ...message.micros, table: message.table.micros }, picture.close_distance);
	if (!sketch.active) showScene(message);
}

// Colours and verdict are of all pairs of the scene, whatever the table lists.
function showFrame() {
	const close = picture.close_distance;
	const states = new Map();
	for (const pair of frame.pairs) {
		for (const name of [pair.a, pair.b]) {
			if (pair.contact) states.set(name, 'contact');
			else if (pair.distance < close && !states.has(name)) states.set(name, 'close');
		}
	}
	view.paint(states, hovered ? [hovered.a, hovered.b] : []);
	markers.set(union(frame.pairs, frame.table.pairs), hovered);
	pairs.set(frame.table.pairs.slice(0, 40), close);
	showVerdict(close);
	const listed = frame.table.pairs.filter((pair) => pair.contact).length;
	write('pairs-hint', listed ? `${listed} in contact` : '');
	write('plot-hint', frame.least == null ? '' : `${(1000 * frame.least).toFixed(2)} mm`);
	const touching = [...states.values()].filter((state) => state === 'contact').length;
	Object.assign(document.body.dataset, { contacts: frame.contacts, touching, time: frame.time, source: frame.source, revision: frame.revision });
}

function showVerdict(close) {
	const { contacts, least, in_collision } = frame;
	const first = frame.pairs[0];
	let [words, kind] = ['No pairs to look at', ''];
	if (contacts) [words, kind] = [`${contacts} ${contacts === 1 ? 'contact' : 'contacts'}, ${(-1000 * least).toFixed(1)} mm deep`, 'contact'];
	else if (in_collision) [words, kind] = ['In collision', 'contact'];
	else if (least != null) [words, kind] = [`${(1000 * least).toFixed(1)} mm apart`, least < close ? 'close' : 'free'];
	write('verdict', words);
	write('verdict-pair', first ? `${first.a} – ${first.b}` : '');
	const verdict = byId('verdict');
	if (verdict.className !== kind) verdict.className = kind;
}

function union(all, listed) {
	const key = (pair) => `${pair.a}\n${pair.b}`;
	const known = new Set(all.map(key));
	return [...all, ...listed.filter((pair) => !known.has(key(pair)))].sort((a, b) => a.distance - b.distance);
}

let noticeTimer = 0;
function notice(text, time = 0) {
	const box = byId('notice');
	clearTimeout(noticeTimer);
	box.textContent = text;
	box.hidden = !text;
	if (time) noticeTimer = setTimeout(() => (box.hidden = true), time);
}

// ---- controls

const send = (command) => () => connection.send(command);
const step = (what) => () => (sketch.active ? sketch.ask(what) : connection.send({ do: what }));
const player = {
	toggle: () => connection.send({ do: frame?.playing && frame.source === 'movement' ? 'pause' : 'play' }),
	step: (by) => {
		if (!picture?.movement) return;
		const [first, last] = picture.movement;
		connection.send({ do: 'seek', time: Math.min(last, Math.max(first, frame.time + (by * (last - first)) / 400)) });
	},
};
byId('play').onclick = player.toggle;
const time = byId('time');
time.addEventListener('pointerdown', () => (time.held = true));
for (const event of ['pointerup', 'pointercancel']) time.addEventListener(event, () => (time.held = false));
time.addEventListener('input', () => connection.sendLast('seek', { do: 'seek', time: Number(time.value) }));
byId('speed').onchange = (event) => connection.send({ do: 'speed', factor: Number(event.target.value) });
byId('follow').onclick = send({ do: 'follow' });
for (const button of document.querySelectorAll('#views button')) button.onclick = () => view.look(button.dataset.view);

// Another button for the whole scene is another row here.
const actions = new Actions(byId('tools'), [
	{ id: 'undo', text: 'Undo', title: 'Undo', key: 'undo', shown: 'Ctrl+Z', run: step('undo'), enabled: ({ undo, editing }) => undo > 0 && editing },
	{ id: 'redo', text: 'Redo', title: 'Redo', key: 'redo', shown: 'Ctrl+Shift+Z', run: step('redo'), enabled: ({ redo, editing }) => redo > 0 && editing },
	{ id: 'export', text: 'Export URDF', title: 'The robot with its surfaces as they are now', href: 'robot.urdf', enabled: ({ can_export }) => can_export },
	{ id: 'save', text: 'Save', title: 'All objects of the scene as a file, for Load and for --world', href: 'world.yaml' },
	{ id: 'load', text: 'Load', title: 'The objects of a file in place of those of the scene', run: () => loadWorld((text) => notice(text, 8000)), enabled: ({ editing }) => editing },
	{ id: 'theme', text: 'Dark', title: 'Light or dark', key: 't', run: toggleTheme },
	{ id: 'keys', text: '?', title: 'Keyboard', key: '?', run: () => byId('help').showModal() },
	{ id: 'fold', text: '☰', title: 'Show or hide the panel', key: 'p', run: () => document.body.classList.toggle('folded') },
]);

const SWITCHES = [
	['Surfaces', view, 'surfaces'], ['Objects', view, 'objects'], ['Visual meshes', view, 'visuals'], ['See through', view, 'glass'], ['Uncovered mesh', view, 'outside'],
	['Grid', view, 'grid'], ['Link frames', view, 'frames'], ['Distances', markers, 'distances'], ['Contact points', markers, 'contacts'],
	['Normals', markers, 'normals'], ['Labels', markers, 'labels'], ['Names', markers, 'names'],
];
for (const [name, owner, key] of SWITCHES) {
	const box = element('input', { type: 'checkbox', checked: owner.show[key], data: { switch: key } });
	box.onchange = () => {
		owner.show[key] = box.checked;
		view.redraw();
		if (picture) visuals.update(picture.robot_number);
	};
	byId('switches').append(element('label', {}, box, name));
}
byId('close').onchange = (event) => {
	const distance = Number(event.target.value) / 1000;
	if (event.target.value !== '' && Number.isFinite(distance)) connection.send({ do: 'close_distance', distance });
};

function setTheme(theme) {
	document.documentElement.dataset.theme = theme;
	byId('theme').textContent = theme === 'dark' ? 'Light' : 'Dark';
	view.setTheme(theme);
	plot.redraw();
	simulate.energy.draw();
}
function toggleTheme() {
	setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
	localStorage.setItem('theme', document.documentElement.dataset.theme);
}
setTheme(localStorage.getItem('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));

// Arrows step through the movement, or move what has handles; with Shift they turn the camera, with Alt they move it.
const arrow = (axis, sign, other) => (event) => {
	const pixels = 40;
	if (event.shiftKey) view.camera.rotate(-sign * pixels * (axis === 0), sign * pixels * (axis === 1));
	else if (event.altKey) view.camera.pan(-sign * pixels * (axis === 0), sign * pixels * (axis === 1));
	else if (view.handles.object) view.handles.nudge(axis, sign);
	else other?.();
	view.redraw();
};
const zoom = (factor) => () => {
	view.camera.zoom(factor);
	view.redraw();
};
listenToKeys({
	...actions.keys(),
	' ': player.toggle,
	ArrowLeft: arrow(0, -1, () => player.step(-1)),
	ArrowRight: arrow(0, 1, () => player.step(1)),
	ArrowDown: arrow(1, -1),
	ArrowUp: arrow(1, 1),
	PageDown: arrow(2, -1),
	PageUp: arrow(2, 1),
	'+': zoom(0.85),
	'-': zoom(1 / 0.85),
	h: () => view.look('home'),
	1: () => view.look('front'),
	2: () => view.look('back'),
	3: () => view.look('left'),
	4: () => view.look('right'),
	5: () => view.look('top'),
	6: () => view.look('bottom'),
	'[': () => editor.step(-1),
	']': () => editor.step(1),
	m: () => editor.target && editor.setMode('translate'),
	r: () => editor.target && editor.setMode('rotate'),
	Escape: () => editor.select(null),
	Delete: () => (sketch.active && !editor.target ? sketch.remove() : editor.remove()),
});

// For tests and for the curious.
window.smoothScene = {
	view, editor, objects, connection, markers, plot, fit, plan, simulate, cloth, cover, sketch, game,
	get picture() { return picture; },
	get frame() { return frame; },
};
