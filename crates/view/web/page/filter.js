// Which pairs the table lists. It is this viewer's own, and changes nothing but the table and its line in the plot.
export class Filter {
	constructor(select, connection) {
		Object.assign(this, { select, groups: [], between: [[], []] });
		select.onchange = () => {
			const [a, b] = JSON.parse(select.value);
			connection.send({ do: 'between', a, b });
		};
	}

	setGroups(groups) {
		this.groups = groups;
		this.render();
	}

	// What the server lists for this viewer.
	set(between) {
		this.between = between;
		this.render();
	}

	get isEverything() { return !this.between.flat().length; }

	get name() { return this.isEverything ? 'everything' : this.between.map((side) => side.join(', ') || 'everything').join(' – '); }

	render() {
		const { select, groups } = this;
		const now = JSON.stringify(this.between);
		const key = JSON.stringify([groups, now]);
		if (this.key === key) return;
		this.key = key;
		const options = [['everything', [[], []]]];
		for (const a of groups) for (const b of groups) {
			const mirrored = a.startsWith('r_') && b === a.replace('r_', 'l_');
			if (mirrored) options.push([`${a} – ${b}`, [[a], [b]]]);
		}
		for (const group of groups) options.push([`${group} – everything`, [[group], []]]);
		if (!options.some(([, value]) => JSON.stringify(value) === now)) options.push([this.name, this.between]);
		select.replaceChildren(...options.map(([name, value]) => new Option(name, JSON.stringify(value))));
		select.value = now;
	}
}
