// Holding a finger on a surface opens a pad under it; sliding changes the exponents, letting go keeps them.
import { element } from './dom.js';
import { isSuperquadric } from './shapes.js';

// How long a finger rests before the pad opens, ms, and how far it may stray, pixels.
const REST = 450;
const STRAY = 8;

export function listenForHolds(editor) {
	const { view } = editor;
	let timer = null;
	let start = null;
	const stop = () => {
		clearTimeout(timer);
		timer = null;
	};
	view.addEventListener('press', ({ detail: { at, event } }) => {
		stop();
		if (!editor.picture?.editing) return;
		start = [event.clientX, event.clientY];
		timer = setTimeout(() => {
			// Something else has the finger.
			if (view.gestures.suspended) return;
			// Looked for only now: most presses turn the camera.
			const target = view.pick(at);
			const surface = editor.surface(target);
			if (surface && isSuperquadric(surface.shape)) hold(editor, target, event);
		}, REST);
	});
	view.canvas.addEventListener('pointermove', (event) => {
		if (timer && Math.hypot(event.clientX - start[0], event.clientY - start[1]) > STRAY) stop();
	});
	view.canvas.addEventListener('pointerdown', (event) => event.isPrimary || stop());
	for (const name of ['pointerup', 'pointercancel']) view.canvas.addEventListener(name, stop);
}

function hold(editor, target, event) {
	const { view } = editor;
	editor.select(target);
	view.gestures.suspend();
	editor.begin();
	const [pad] = editor.makePads(editor.surface().shape);
	const popup = element('div', { id: 'popup' }, pad.element);
	const stage = view.canvas.parentElement;
	stage.append(popup);
	editor.setPads([pad], editor.surface().shape);
	// The cursor of the pad is under the finger.
	const [x, y] = pad.place(pad.value, pad.canvas.clientWidth);
	const frame = stage.getBoundingClientRect();
	popup.style.left = `${event.clientX - frame.left - x - 8}px`;
	popup.style.top = `${event.clientY - frame.top - y - 8}px`;
	const move = (moved) => pad.drag(moved);
	const end = () => {
		removeEventListener('pointermove', move);
		for (const name of ['pointerup', 'pointercancel']) removeEventListener(name, end);
		popup.remove();
		editor.done();
		// After the gestures have seen the end of it.
		setTimeout(() => view.gestures.resume(), 0);
	};
	addEventListener('pointermove', move);
	for (const name of ['pointerup', 'pointercancel']) addEventListener(name, end);
}
