// A slider for every joint, within its limits; joints that follow others are shown.
export class Joints {
	constructor(box, filter, hint, connection) {
		Object.assign(this, { box, hint, connection, rows: [] });
		// While the list is folded nothing of it is brought up to date.
		this.section = box.closest('details');
		this.section.addEventListener('toggle', () => this.positions && this.setPositions(this.positions));
		filter.addEventListener('input', () => this.filter(filter.value.trim().toLowerCase()));
	}

	setPicture(picture) {
		const key = JSON.stringify(picture.joints);
		if (key === this.key) return;
		this.key = key;
		this.hint.textContent = `${picture.joints.filter((joint) => !joint.mimic).length}`;
		this.box.replaceChildren();
		this.rows = picture.joints.map((joint) => this.row(joint));
	}

	row(joint) {
		const element = document.createElement('div');
		element.className = joint.mimic ? 'joint mimic' : 'joint';
		const label = document.createElement('label');
		const output = document.createElement('output');
		const input = document.createElement('input');
		const id = `joint-${joint.name}`;
		label.textContent = joint.name;
		label.htmlFor = id;
		if (joint.mimic) {
			const { leader, multiplier, offset } = joint.mimic;
			label.title = `${joint.name} = ${multiplier} × ${leader}${offset ? ` + ${offset}` : ''}`;
			label.textContent += ` ← ${leader}`;
		}
		Object.assign(input, { id, type: 'range', min: joint.lower, max: joint.upper, step: 'any', disabled: Boolean(joint.mimic) });
		input.addEventListener('pointerdown', () => (input.held = true));
		input.addEventListener('pointerup', () => (input.held = false));
		input.addEventListener('pointercancel', () => (input.held = false));
		input.addEventListener('input', () => {
			this.connection.sendLast(`joint ${joint.name}`, { do: 'set_joint', name: joint.name, value: Number(input.value) });
		});
		// The browser's own steps are a hundredth of nothing with step=any.
		input.addEventListener('keydown', (event) => {
			const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
			if (!step) return;
			event.preventDefault();
			event.stopPropagation();
			input.value = String(Number(input.value) + (step * (joint.upper - joint.lower)) / 100);
			input.dispatchEvent(new Event('input'));
		});
		element.append(label, output, input);
		this.box.append(element);
		return { joint, element, input, output };
	}

	setPositions(positions) {
		this.positions = positions;
		if (!this.section.open) return;
		for (const { joint, input, output } of this.rows) {
			let value = positions[joint.place];
			if (joint.mimic) value = joint.mimic.multiplier * value + joint.mimic.offset;
			if (!input.held) input.value = String(value);
			const text = joint.kind === 'prismatic' ? `${(1000 * value).toFixed(1)} mm` : `${((180 * value) / Math.PI).toFixed(1)}°`;
			if (output.value !== text) output.value = text;
		}
	}

	filter(text) {
		for (const { joint, element } of this.rows) element.hidden = !joint.name.toLowerCase().includes(text);
	}
}
