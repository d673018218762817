// The table of nearest pairs. A row that is pointed at, or focused, lights up its bodies and its line.
export class Pairs {
  constructor(body, hover) {
    this.body = body;
    this.hover = hover;
    this.rows = [];
  }

  set(pairs, close) {
    while (this.rows.length < pairs.length) this.rows.push(this.row());
    while (this.rows.length > pairs.length) this.rows.pop().element.remove();
    pairs.forEach((pair, i) => {
      const row = this.rows[i];
      row.pair = pair;
      row.element.className = pair.contact ? 'contact' : pair.distance < close ? 'close' : '';
      const texts = [pair.a, pair.b, (1000 * pair.distance).toFixed(2)];
      texts.forEach((text, k) => row.cells[k].textContent !== text && (row.cells[k].textContent = text));
      row.element.title = `${pair.a} – ${pair.b}\nbetween ${mm(pair.lower)} and ${mm(pair.upper)}, ${pair.status.replace('_', ' ')}${pair.of_hull ? ', of the convex hull' : ''}`;
    });
  }

  row() {
    const element = document.createElement('tr');
    element.tabIndex = 0;
    const cells = [0, 1, 2].map(() => element.appendChild(document.createElement('td')));
    cells[2].className = 'number';
    const row = { element, cells, pair: null };
    for (const event of ['pointerenter', 'focus']) element.addEventListener(event, () => this.hover(row.pair));
    for (const event of ['pointerleave', 'blur']) element.addEventListener(event, () => this.hover(null));
    this.body.append(element);
    return row;
  }
}

const mm = (metres) => `${(1000 * metres).toPrecision(7)} mm`;
