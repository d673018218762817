// The game: catch the marked falling bodies with a hand of the robot, by keys, touch or pointer. The server plays, this shows it.
import { button, element } from './dom.js';

// Marked bodies and the others.
const WANTED = 0xe0a800;
const OTHER = 0x7d8794;
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], a: [-1, 0], d: [1, 0], w: [0, 1], s: [0, -1] };
// A finger this far from the hand moves it at full speed, pixels.
const FULL = 40;

export class GamePage {
	constructor(view, connection, section, box, hint, hooks) {
		Object.assign(this, { view, connection, section, hint, hooks, keys: new Map(), state: null, finger: null, way: [0, 0] });
		this.board = element('p', { id: 'game-board', className: 'empty' });
		this.start = button('Play', 'A new game', () => this.begin(), { game: 'start' });
		this.pauseIt = button('Pause', 'Stand still or go on', () => this.send({ ask: 'pause', paused: !this.state.paused }), { game: 'pause' });
		this.stop = button('Stop', 'End the game', () => this.send({ ask: 'stop' }), { game: 'stop' });
		this.hand = element('select', { title: 'The link that catches', data: { game: 'hand' } });
		const rules = 'Catch the golden bodies with the hand, touch no grey one and let no golden one fall past. Arrows or WASD, or put a finger where the hand shall go.';
		box.append(element('p', { className: 'empty', textContent: rules }), element('label', { className: 'line' }, 'Hand', this.hand),
			element('div', { className: 'buttons' }, this.start, this.pauseIt, this.stop), this.board);
		addEventListener('keydown', (event) => this.key(event, true), true);
		addEventListener('keyup', (event) => this.key(event, false), true);
		addEventListener('blur', () => this.release());
		this.render();
	}

	get active() { return Boolean(this.state && !this.state.stopped); }

	send(command) { this.connection.send({ do: 'game', ...command }); }

	begin(seed = Math.floor(Math.random() * 2 ** 32)) {
		this.send({ ask: 'start', seed, hand: this.hand.value || null });
	}

	setPicture(picture) {
		const names = picture.links.filter((link) => link.surfaces.length).map((link) => link.name);
		const key = names.join('\n');
		if (key === this.names) return;
		this.names = key;
		this.hand.replaceChildren(new Option('the likeliest', ''), ...names.map((name) => new Option(name)));
	}

	// What the server says.
	set(state) {
		const wasActive = this.active;
		const before = this.state;
		this.state = state;
		if (this.active !== wasActive) this.turn();
		const names = (of) => of?.bodies.map((body) => body.name).join() ?? '';
		if (names(before) !== names(state)) this.hooks.show();
		for (const { name, pose } of state.bodies) {
			const body = this.view.bodies.get(name);
			if (body) body.pose = pose;
		}
		// The hand moves below a finger that rests.
		if (this.active && this.finger) this.move(this.finger);
		this.view.redraw();
		this.render();
	}

	// Begun or ended: the tool and the view.
	turn() {
		if (this.active) {
			this.section.open = true;
			this.view.tool = this;
			const [[left, right], [low, high]] = this.state.room;
			const [x] = this.state.goal;
			this.view.guide = () => [[x, left, low], [x, right, low], [x, left, high], [x, right, high]];
			this.view.look('front');
			this.view.canvas.focus();
		} else {
			if (this.view.tool === this) [this.view.tool, this.view.guide] = [null, () => []];
			this.release();
		}
	}

	// Its bodies, as objects of the picture.
	objects() {
		if (!this.active) return [];
		return this.state.bodies.map(({ name, pose, shape, hull, wanted }) => ({
			name, pose, hue: wanted ? WANTED : OTHER, surfaces: [{ pose: { xyz: [0, 0, 0], quat: [0, 0, 0, 1] }, shape, hull }],
		}));
	}

	render() {
		const { state, active } = this;
		this.pauseIt.disabled = !active || state.over;
		this.stop.disabled = !active;
		this.pauseIt.textContent = active && state.paused ? 'Go on' : 'Pause';
		this.start.textContent = active ? 'Play again' : 'Play';
		const text = active ? `${state.over ? 'Over: ' : ''}${state.score} points, level ${state.level}, ${'♥'.repeat(state.lives) || 'no lives'}` : '';
		if (this.board.textContent !== text) this.board.textContent = text;
		this.hint.textContent = active ? `${state.score}` : '';
		Object.assign(document.body.dataset, active ? { score: state.score, lives: state.lives } : {});
	}

	// ---- keys

	key(event, isDown) {
		const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
		const way = WAYS[name];
		if (!this.active || this.state.over || !way || event.ctrlKey || event.metaKey || event.altKey) return;
		if (isDown && event.target.closest?.('input, select, dialog')) return;
		event.preventDefault();
		event.stopPropagation();
		if (isDown) this.keys.set(name, way);
		else this.keys.delete(name);
		const sum = [0, 1].map((k) => [...this.keys.values()].reduce((total, one) => total + one[k], 0));
		this.steer(sum);
	}

	steer(way) {
		const bounded = way.map((x) => Math.min(1, Math.max(-1, x)));
		if (bounded[0] === this.way[0] && bounded[1] === this.way[1]) return;
		this.way = bounded;
		this.send({ ask: 'steer', way: bounded });
	}

	release() {
		this.keys.clear();
		this.finger = null;
		if (this.active) this.steer([0, 0]);
	}

	// ---- fingers: towards where they are

	press(at) {
		if (!this.active || this.state.over) return false;
		this.move(at);
		return true;
	}

	move(at) {
		const hand = this.view.project(this.state.goal);
		if (!hand) return;
		// In the view from the front y goes to the right.
		this.finger = at;
		this.steer([(at[0] - hand[0]) / FULL, (hand[1] - at[1]) / FULL].map((x) => Math.round(20 * x) / 20));
	}

	cancel() { this.release(); }
}
