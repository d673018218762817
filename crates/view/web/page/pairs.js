// The table of nearest pairs. A row that is pointed at, or focused, lights up its bodies and its line.
export class Pairs {
	constructor(body, hover) {
		this.body = body;
		this.hover = hover;
		this.rows = [];
		// One stop for the Tab key; up and down go from row to row.
		body.addEventListener('keydown', (event) => {
			const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
			const at = this.rows.findIndex((row) => row.element === event.target);
			if (!step || at < 0) return;
			event.preventDefault();
			event.stopPropagation();
			this.rows[at + step]?.element.focus();
		});
		body.addEventListener('focusin', (event) => this.rows.forEach(({ element }) => (element.tabIndex = element === event.target ? 0 : -1)));
	}

	set(pairs, close) {
		while (this.rows.length < pairs.length) this.rows.push(this.row());
		while (this.rows.length > pairs.length) {
			const { element } = this.rows.pop();
			if (element.tabIndex === 0 && this.rows.length) this.rows[0].element.tabIndex = 0;
			element.remove();
		}
		pairs.forEach((pair, i) => {
			const row = this.rows[i];
			row.pair = pair;
			const kind = pair.contact ? 'contact' : pair.distance < close ? 'close' : '';
			if (row.kind !== kind) row.element.className = row.kind = kind;
			const texts = [pair.a, pair.b, (1000 * pair.distance).toFixed(2)];
			texts.forEach((text, k) => {
				if (row.texts[k] !== text) row.cells[k].firstChild.data = row.texts[k] = text;
			});
			if (row.shown) describe(row);
		});
	}

	row() {
		const element = document.createElement('tr');
		element.tabIndex = this.rows.length ? -1 : 0;
		const cells = [0, 1, 2].map(() => element.appendChild(document.createElement('td')));
		for (const cell of cells) cell.append('');
		cells[2].className = 'number';
		const row = { element, cells, pair: null, texts: [], kind: '', shown: false };
		for (const event of ['pointerenter', 'focus']) element.addEventListener(event, () => {
			row.shown = true;
			describe(row);
			this.hover(row.pair);
		});
		for (const event of ['pointerleave', 'blur']) element.addEventListener(event, () => {
			row.shown = false;
			this.hover(null);
		});
		this.body.append(element);
		return row;
	}
}

// The proven bounds, for the one row that is pointed at.
function describe({ element, pair }) {
	element.title = `${pair.a} – ${pair.b}\nbetween ${mm(pair.lower)} and ${mm(pair.upper)}, ${pair.status.replace('_', ' ')}${pair.of_hull ? ', of the convex hull' : ''}`;
}

const mm = (metres) => `${(1000 * metres).toPrecision(7)} mm`;
