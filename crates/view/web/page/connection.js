// The WebSocket: messages in, commands out, and a new connection when the old one is lost.
const FRAME = '{"kind":"frame"';

export class Connection {
	constructor(handlers) {
		this.handlers = handlers;
		this.waiting = new Map();
		this.open();
	}

	open() {
		const address = new URL('view', location.href);
		address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
		this.socket = new WebSocket(address);
		this.socket.onopen = () => this.handlers.connected();
		this.socket.onmessage = (event) => {
			if (event.data.startsWith(FRAME)) {
				this.latest = event.data;
				return;
			}
			const message = JSON.parse(event.data);
			this.handlers[message.kind]?.(message);
		};
		this.socket.onclose = () => {
			this.handlers.disconnected();
			setTimeout(() => this.open(), 1000);
		};
	}

	// Of the states that came since the last picture on the screen only the latest is read.
	takeFrame() {
		if (!this.latest) return;
		const message = JSON.parse(this.latest);
		this.latest = null;
		this.handlers.frame(message);
	}

	// Sends at once.
	send(command) {
		if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
	}

	// Sends the last command of this key once per frame: what a finger does between two frames is one step.
	sendLast(key, command) {
		if (this.waiting.size === 0) {
			requestAnimationFrame(() => {
				for (const latest of this.waiting.values()) this.send(latest);
				this.waiting.clear();
			});
		}
		this.waiting.set(key, command);
	}
}
