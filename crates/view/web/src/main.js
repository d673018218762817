// Puts the page together: what comes from the server goes to the parts, what the parts want goes to the server.
import { Connection } from './connection.js';
import { Editor } from './editor.js';
import { Joints } from './joints.js';
import { listenToKeys } from './keyboard.js';
import { Markers } from './markers.js';
import { Pairs } from './pairs.js';
import { Plot } from './plot.js';
import { Scene3d } from './scene3d.js';

const byId = (id) => document.getElementById(id);
const view = new Scene3d(byId('canvas'));
const markers = new Markers(view, byId('labels'));
let picture = null;
let frame = null;
let hovered = null;

const connection = new Connection({
  connected: () => notice(''),
  disconnected: () => notice('The connection to the scene is lost. Trying again …'),
  refused: (message) => {
    notice(message.reason, 5000);
    // What was shown ahead of the answer goes back to what the server has.
    if (!picture) return;
    view.setPicture(picture);
    editor.restore();
  },
  scene: setPicture,
  frame: setFrame,
  curve: (curve) => {
    plot.setCurve(curve);
    view.setExtent(curve.extent);
  },
});
const pairs = new Pairs(document.querySelector('#pairs tbody'), (pair) => {
  hovered = pair;
  if (frame) showFrame();
});
const plot = new Plot(byId('plot'), (time) => connection.sendLast('seek', { do: 'seek', time }));
const joints = new Joints(byId('joints'), byId('joint-filter'), byId('joints-hint'), connection);
const editor = new Editor(view, connection, {
  box: byId('surface'), name: byId('surface-name'), section: byId('surface-section'),
  objects: byId('objects'), objectsHint: byId('objects-hint'),
});

view.addEventListener('tick', () => connection.takeFrame());

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
  view.setPicture(message);
  editor.setPicture(message);
  editor.selectNext();
  joints.setPicture(message);
  byId('robot').textContent = message.robot;
  const objects = message.objects.length + message.hidden_objects;
  byId('counts').textContent = `${view.surfaceCount} surfaces${objects ? `, ${objects} ${objects === 1 ? 'object' : 'objects'}` : ''}`;
  byId('undo').disabled = message.undo === 0 || !message.editing;
  byId('redo').disabled = message.redo === 0 || !message.editing;
  byId('export').setAttribute('aria-disabled', String(!message.can_export));
  byId('player').hidden = !message.movement && !message.can_follow;
  for (const id of ['play', 'time', 'clock', 'speed']) byId(id).hidden = !message.movement;
  document.body.classList.toggle('still', byId('player').hidden);
  byId('follow').hidden = !message.can_follow;
  if (message.movement) [byId('time').min, byId('time').max] = message.movement;
  setBetween(message);
}

function setFrame(message) {
  // A frame of another revision has other links or bodies: the picture comes first, and a frame for it.
  if (!picture || message.revision !== picture.revision) return;
  frame = message;
  view.setPoses(message.links);
  joints.setPositions(message.positions);
  const slider = byId('time');
  if (!slider.held) slider.value = String(message.time);
  write('clock', message.source === 'movement' ? `${message.time.toFixed(2)} s` : message.source);
  const running = message.playing && message.source === 'movement';
  write('play', running ? '❚❚' : '▶');
  byId('follow').classList.toggle('on', message.source === 'live');
  plot.setMoment(message.time, message.pairs[0]?.distance ?? null, message.source);
  if (message.notice) notice(message.notice);
  else if (byId('notice').dataset.from === 'frame') notice('');
  byId('notice').dataset.from = message.notice ? 'frame' : '';
  showFrame();
}

function showFrame() {
  const close = picture.close_distance;
  const states = new Map();
  let contacts = 0;
  for (const pair of frame.pairs) {
    if (pair.contact) contacts += 1;
    for (const name of [pair.a, pair.b]) {
      if (pair.contact) states.set(name, 'contact');
      else if (pair.distance < close && !states.has(name)) states.set(name, 'close');
    }
  }
  view.paint(states, hovered ? [hovered.a, hovered.b] : []);
  markers.set(frame.pairs, hovered);
  pairs.set(frame.pairs.slice(0, 40), close);
  const least = frame.pairs[0]?.distance;
  const verdict = byId('verdict');
  const touching = [...states.values()].filter((state) => state === 'contact').length;
  let [words, kind] = ['No pairs to look at', ''];
  if (contacts) [words, kind] = [`${contacts} ${contacts === 1 ? 'contact' : 'contacts'}, ${(-1000 * least).toFixed(1)} mm deep`, 'contact'];
  else if (least != null) [words, kind] = [`${(1000 * least).toFixed(1)} mm apart`, least < close ? 'close' : 'free'];
  write('verdict', words);
  if (verdict.className !== kind) verdict.className = kind;
  write('pairs-hint', contacts ? `${contacts} in contact` : '');
  write('plot-hint', least == null ? '' : `${(1000 * least).toFixed(2)} mm`);
  Object.assign(document.body.dataset, { contacts, touching, time: frame.time, source: frame.source, revision: frame.revision });
  showTimes();
}

const smoothed = {};
let timesShown = 0;
function showTimes() {
  for (const [name, micros] of Object.entries(frame.micros)) smoothed[name] = 0.9 * (smoothed[name] ?? micros) + 0.1 * micros;
  if (performance.now() - timesShown < 250) return;
  timesShown = performance.now();
  const rows = [
    ['In collision?', smoothed.in_collision, 'µs'],
    ['Pairs closer than ' + 1000 * picture.close_distance + ' mm', smoothed.close_pairs, 'µs'],
    ['Nearest pairs', smoothed.nearest_pairs, 'µs'],
    ['This page', view.fps, 'frames/s'],
    ['Its script, each frame', 1000 * (view.work ?? 0), 'µs'],
  ];
  const body = document.querySelector('#times tbody');
  if (!body.closest('details').open) return;
  body.replaceChildren(...rows.map(([name, value, unit]) => {
    const row = document.createElement('tr');
    row.append(cell(name), cell(`${value.toFixed(0)} ${unit}`, 'number'));
    return row;
  }));
}

function cell(text, className = '') {
  const element = document.createElement('td');
  element.textContent = text;
  element.className = className;
  return element;
}

let noticeTimer = 0;
function notice(text, time = 0) {
  const box = byId('notice');
  clearTimeout(noticeTimer);
  box.textContent = text;
  box.hidden = !text;
  if (time) noticeTimer = setTimeout(() => (box.hidden = true), time);
}

// ---- between whom

function setBetween(message) {
  const select = byId('between');
  const now = JSON.stringify(message.between);
  const options = [['everything', [[], []]]];
  for (const a of message.groups) for (const b of message.groups) {
    const mirrored = a.startsWith('r_') && b === a.replace('r_', 'l_');
    if (mirrored) options.push([`${a} – ${b}`, [[a], [b]]]);
  }
  for (const group of message.groups) options.push([`${group} – everything`, [[group], []]]);
  const key = JSON.stringify([options, now]);
  if (select.dataset.key === key) return;
  select.dataset.key = key;
  select.replaceChildren(...options.map(([name, value]) => new Option(name, JSON.stringify(value))));
  if (!options.some(([, value]) => JSON.stringify(value) === now)) select.add(new Option(message.between.flat().join(', '), now));
  select.value = now;
}
byId('between').onchange = (event) => {
  const [a, b] = JSON.parse(event.target.value);
  connection.send({ do: 'between', a, b });
};

// ---- controls

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
byId('follow').onclick = () => connection.send({ do: 'follow' });
byId('undo').onclick = () => connection.send({ do: 'undo' });
byId('redo').onclick = () => connection.send({ do: 'redo' });
for (const button of document.querySelectorAll('#views button')) button.onclick = () => view.look(button.dataset.view);

const SWITCHES = [
  ['Surfaces', view, 'surfaces'], ['Objects', view, 'objects'], ['See through', view, 'glass'], ['Grid', view, 'grid'],
  ['Link frames', view, 'frames'], ['Distances', markers, 'distances'], ['Contact points', markers, 'contacts'],
  ['Normals', markers, 'normals'], ['Labels', markers, 'labels'], ['Names', markers, 'names'],
];
for (const [name, owner, key] of SWITCHES) {
  const label = document.createElement('label');
  const box = Object.assign(document.createElement('input'), { type: 'checkbox', checked: owner.show[key] });
  box.dataset.switch = key;
  box.onchange = () => {
    owner.show[key] = box.checked;
    view.paint();
    if (frame) showFrame();
  };
  label.append(box, name);
  byId('switches').append(label);
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId('theme').textContent = theme === 'dark' ? 'Light' : 'Dark';
  view.setTheme(theme);
  markers.setTheme(theme);
  plot.redraw();
}
const toggleTheme = () => {
  setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  localStorage.setItem('theme', document.documentElement.dataset.theme);
};
byId('theme').onclick = toggleTheme;
setTheme(localStorage.getItem('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));

const fold = () => document.body.classList.toggle('folded');
byId('fold').onclick = fold;
byId('keys').onclick = () => byId('help').showModal();

listenToKeys({
  ' ': player.toggle,
  ArrowLeft: () => player.step(-1),
  ArrowRight: () => player.step(1),
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
  Delete: () => editor.remove(),
  t: toggleTheme,
  p: fold,
  '?': () => byId('help').showModal(),
  undo: () => connection.send({ do: 'undo' }),
  redo: () => connection.send({ do: 'redo' }),
});

// For tests and for the curious.
window.smoothScene = { view, editor, connection, markers, get picture() { return picture; }, get frame() { return frame; } };
