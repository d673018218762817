// The objects of the world and those the robot carries: a list, and new ones.
import { button, element } from './dom.js';
import { converted } from './shapes.js';

const NEW = ['sphere', 'superellipsoid', 'box', 'cylinder'];
const LISTED = 200;

export class Objects {
	constructor(view, editor, connection, box, hint) {
		Object.assign(this, { view, editor, connection, box, hint });
		editor.addEventListener('selected', () => this.render());
	}

	setPicture(picture) {
		this.picture = picture;
		this.render();
	}

	render() {
		const { picture, box, editor } = this;
		const list = picture?.objects ?? [];
		this.hint.textContent = list.length ? `${list.length + picture.hidden_objects}` : '';
		const key = JSON.stringify([list.map((object) => [object.name, object.link]), editor.target, picture?.editing]);
		if (key === this.key) return;
		this.key = key;
		box.replaceChildren(...list.slice(0, LISTED).map((object) => {
			const text = object.link ? `${object.name} on ${object.link}` : object.name;
			const row = button(text, 'Select it', () => editor.select({ object: object.name, index: 0 }));
			row.classList.toggle('on', editor.target?.object === object.name);
			return element('div', { className: 'object' }, row);
		}));
		if (list.length > LISTED) box.append(element('p', { className: 'empty', textContent: `and ${list.length - LISTED} more` }));
		if (!picture?.editing) return;
		const add = (type) => button(`+ ${type}`, `Add a ${type} in the middle of the view`, () => this.add(type));
		box.append(element('div', { className: 'buttons' }, ...NEW.map(add)));
	}

	add(type) {
		const names = new Set([...this.picture.objects, ...this.picture.links].map((body) => body.name));
		let number = 1;
		while (names.has(`${type}_${number}`)) number += 1;
		const name = `${type}_${number}`;
		const size = Number((0.06 * this.view.size).toPrecision(2));
		const shape = converted({ type: 'ellipsoid', radii: [size, size, size] }, this.editor.kindOf(type));
		const pose = { xyz: [...this.view.camera.target], quat: [0, 0, 0, 1] };
		this.editor.edit({ of: 'add_object', name, pose, shape });
		this.editor.next = { object: name, index: 0 };
	}
}
