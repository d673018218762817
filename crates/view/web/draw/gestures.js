// Fingers, mouse and pen on the canvas: handles first, then a tool if there is one, then the camera; short ones pick.
// A tool has press(at) → whether it takes the finger, move(at, event), release(at), cancel(), and whether it leaves holding to others.

// A press that moves less than this, in pixels, is a click.
const CLICK = 6;

export class Gestures {
	constructor(view) {
		this.view = view;
		this.pointers = new Map();
		const { canvas } = view;
		canvas.addEventListener('pointerdown', (event) => this.down(event));
		canvas.addEventListener('pointermove', (event) => this.move(event));
		for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) canvas.addEventListener(name, (event) => this.up(event));
		canvas.addEventListener('contextmenu', (event) => event.preventDefault());
		canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
	}

	// Something else has taken the finger: the camera stays.
	suspend() {
		this.suspended = true;
		this.click = null;
	}

	resume() { this.suspended = false; }

	place(event) {
		const frame = this.view.canvas.getBoundingClientRect();
		return [event.clientX - frame.left, event.clientY - frame.top];
	}

	down(event) {
		const { view } = this;
		const at = this.place(event);
		// A pointer that is no longer there (its end was lost) must not stay as a second finger.
		if (event.isPrimary) this.pointers.clear();
		view.canvas.setPointerCapture(event.pointerId);
		if (!this.pointers.size) view.activate(at);
		this.pointers.set(event.pointerId, at);
		if (this.pointers.size > 1) {
			this.click = null;
			if (this.tooling) view.tool?.cancel();
			this.tooling = false;
			return;
		}
		const isMain = event.button === 0 && !event.shiftKey && !event.ctrlKey;
		this.panning = !isMain;
		this.click = isMain ? at : null;
		if (isMain && view.handles.press(at, event.pointerType === 'touch' ? 12 : 4)) this.click = null;
		else if (isMain) {
			this.tooling = Boolean(view.tool?.press(at));
			if (this.tooling) this.click = null;
			if (!this.tooling || view.tool.holds) view.dispatchEvent(new CustomEvent('press', { detail: { at, event } }));
		}
	}

	move(event) {
		const { view, pointers } = this;
		const at = this.place(event);
		const before = pointers.get(event.pointerId);
		if (!before) {
			if (event.pointerType !== 'touch') view.handles.hover(at);
			return;
		}
		if (this.click && Math.hypot(at[0] - this.click[0], at[1] - this.click[1]) > CLICK) this.click = null;
		const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
		pointers.set(event.pointerId, at);
		if (this.suspended) return;
		if (this.tooling) {
			view.tool?.move(at, event);
			return;
		}
		if (view.handles.dragging) {
			view.handles.drag(at);
			return;
		}
		const [dx, dy] = [at[0] - before[0], at[1] - before[1]];
		if (others.length === 1) this.pinch(before, at, others[0]);
		else if (!others.length && this.panning) view.camera.pan(dx, dy);
		else if (!others.length) view.camera.rotate(dx, dy);
		view.redraw();
	}

	// Two fingers move the scene along and zoom around their middle.
	pinch(before, at, other) {
		const { camera } = this.view;
		const apart = (p) => Math.max(10, Math.hypot(p[0] - other[0], p[1] - other[1]));
		camera.pan((at[0] - before[0]) / 2, (at[1] - before[1]) / 2);
		camera.zoom(apart(before) / apart(at), [(at[0] + other[0]) / 2, (at[1] + other[1]) / 2]);
	}

	up(event) {
		const { view } = this;
		if (!this.pointers.delete(event.pointerId)) return;
		if (this.tooling) {
			if (event.type === 'pointerup') view.tool?.release(this.place(event));
			else view.tool?.cancel();
			this.tooling = false;
		} else if (view.handles.dragging) view.handles.release();
		else if (this.click && !this.suspended && event.type === 'pointerup') {
			view.dispatchEvent(new CustomEvent('pick', { detail: view.pick(this.click) }));
		}
		this.click = null;
	}

	wheel(event) {
		event.preventDefault();
		const lines = event.deltaMode === 1 ? 16 : 1;
		this.view.activate(this.place(event));
		const step = Math.max(-120, Math.min(120, event.deltaY * lines));
		this.view.camera.zoom(1.0018 ** (event.ctrlKey ? 6 * step : step), this.place(event));
		this.view.redraw();
	}
}
