// The panel for drawing a robot: tools, presets, the chosen bone with its joint, and saving.
import { degrees, radians } from '../draw/math.js';
import { button, element } from './dom.js';
import { AXES } from './sketch_joints.js';

const TOOLS = [
	['look', 'Look', 'Turn and move the view'],
	['bones', 'Bones', 'Draw bones; a stroke that bends by more than 35° becomes two, ends snap'],
	['move', 'Move', 'Drag the ends of bones'],
	['joints', 'Joints', 'Click a joint, drag the ends of its arcs'],
	['surfaces', 'Surfaces', 'Draw around a bone; click a surface to refine it'],
];
const KINDS = ['fixed', 'revolute', 'continuous', 'prismatic', 'ball'];

export class SketchPanel {
	constructor(page, section, box, hint) {
		Object.assign(this, { page, section, box, hint, superovoid: false });
		const edit = (of, rest = {}) => () => page.edit({ of, ...rest });
		this.toggle = button('Draw a robot', 'Draw bones, joints and surfaces', () => page.open(!page.active), { sketch: 'open' });
		this.tools = TOOLS.map(([tool, text, title]) => button(text, title, () => page.setTool(tool), { tool }));
		this.four = element('input', { type: 'checkbox', data: { sketch: 'panes' } });
		this.four.onchange = () => page.setPanes(this.four.checked);
		const ovoid = element('input', { type: 'checkbox', data: { sketch: 'ovoid' } });
		ovoid.onchange = () => (this.superovoid = ovoid.checked);
		const presets = ['finger', 'arm', 'humanoid'].map((name) => button(`+ ${name}`, 'Add it; at the chosen joint if there is one',
			() => page.edit({ of: 'preset', name, at: page.node }), { preset: name }));
		this.name = element('input', { type: 'text', data: { sketch: 'name' }, title: 'Name of the robot' });
		this.name.onchange = () => page.edit({ of: 'rename_robot', name: this.name.value });
		this.chosen = element('div', { id: 'sketch-bone' });
		this.problem = element('p', { className: 'empty', id: 'sketch-problem' });
		const file = (ending) => element('a', { className: 'button', href: `sketch.${ending}`, download: '', textContent: `Save ${ending.toUpperCase()}`, data: { save: ending } });
		this.saves = [file('urdf'), file('srdf')];
		this.useIt = button('Use robot', 'Put it in the place of the robot in the scene', () => page.use(), { sketch: 'use' });
		this.open = element('div', {},
			element('div', { className: 'buttons' }, ...this.tools),
			element('label', { className: 'line' }, this.four, 'Four views at once'),
			element('label', { className: 'line' }, ovoid, 'Surfaces taper (superovoids)'),
			element('div', { className: 'buttons' }, ...presets,
				button('Mirror', 'Copy the left side to the right', edit('mirror'), { sketch: 'mirror' }),
				button('Flesh out', 'A surface for each bone that has none', edit('flesh_out'), { sketch: 'flesh' }),
				button('Clear', 'Remove everything', edit('clear'), { sketch: 'clear' })),
			this.chosen,
			element('label', { className: 'line' }, 'Robot', this.name),
			this.problem,
			element('div', { className: 'buttons' }, ...this.saves, this.useIt));
		box.append(element('div', { className: 'buttons' }, this.toggle), this.open);
		this.render();
	}

	setPanes(on) { this.four.checked = on; }

	render() {
		const { page } = this;
		const { sketch } = page;
		this.toggle.textContent = page.active ? 'Back to the scene' : 'Draw a robot';
		this.toggle.disabled = !sketch || !page.hooks.editing();
		this.open.hidden = !page.active;
		if (page.active) this.section.open = true;
		if (!sketch) return;
		this.hint.textContent = sketch.bones.length ? `${sketch.bones.length} bones` : '';
		for (const tool of this.tools) tool.classList.toggle('on', tool.dataset.tool === page.tool);
		if (document.activeElement !== this.name) this.name.value = sketch.name;
		this.problem.textContent = sketch.problem ?? '';
		for (const save of this.saves) save.setAttribute('aria-disabled', String(Boolean(sketch.problem)));
		this.useIt.disabled = Boolean(sketch.problem);
		this.renderBone();
	}

	renderBone() {
		const { page, chosen } = this;
		const bone = page.boneOf(page.bone);
		const key = JSON.stringify(bone ?? null) + page.joints.drawing;
		if (key === this.key) return;
		this.key = key;
		if (!bone) {
			chosen.replaceChildren(element('p', { className: 'empty', textContent: 'Click a bone or a joint to see how it moves.' }));
			return;
		}
		const name = element('input', { type: 'text', value: bone.name, title: 'Name of the bone', data: { bone: 'name' } });
		name.onchange = () => {
			page.edit({ of: 'rename_bone', bone: bone.name, name: name.value });
			page.bone = name.value;
		};
		const buttons = element('div', { className: 'buttons' },
			button('Root', 'All others hang on this bone', () => page.edit({ of: 'root', bone: bone.name }), { bone: 'root' }),
			button('Split', 'Put a joint into its middle', () => page.edit({ of: 'split_bone', bone: bone.name, share: 0.5 }), { bone: 'split' }),
			button('Remove', 'Remove this bone (Delete)', () => page.remove(), { bone: 'remove' }));
		chosen.replaceChildren(element('label', { className: 'line' }, 'Bone', name), buttons, ...this.jointFields(bone));
	}

	jointFields(bone) {
		const { page } = this;
		if (bone.near == null) return [element('p', { className: 'empty', textContent: bone.name === page.sketch.root ? 'All others hang on it.' : 'It hangs on nothing.' })];
		const kind = element('select', { data: { joint: 'kind' } }, ...KINDS.map((name) => new Option(name)));
		kind.value = bone.joint.kind;
		kind.onchange = () => page.joints.setKind(bone, kind.value);
		const fields = [element('label', { className: 'line' }, `Joint on ${bone.parent}`, kind)];
		if (bone.joint.axis) fields.push(this.axisButtons(bone));
		const { limits } = bone.joint;
		const rows = !limits ? [] : bone.joint.kind === 'ball' ? limits.map((pair, part) => [part, pair]) : [[null, limits]];
		for (const [part, pair] of rows) fields.push(this.limitFields(bone, part, pair));
		return fields;
	}

	axisButtons(bone) {
		const { page } = this;
		const made = ['x', 'y', 'z'].map((name, k) => {
			const one = button(name, `The axis is ${name}`, () => page.joints.setAxis(AXES[k]), { axis: name });
			one.classList.toggle('on', Math.abs(bone.joint.axis[k]) > 0.999);
			return one;
		});
		const draw = button('Draw', 'Draw the axis as a stroke', () => {
			page.setTool('joints');
			page.joints.drawing = true;
			this.render();
		}, { axis: 'draw' });
		draw.classList.toggle('on', page.joints.drawing);
		made.push(button('View', 'Across the view', () => page.joints.setAxis(page.view.camera.back), { axis: 'view' }), draw);
		return element('div', { className: 'buttons' }, element('span', { className: 'empty', textContent: 'Axis' }), ...made);
	}

	limitFields(bone, part, pair) {
		const isLength = bone.joint.kind === 'prismatic';
		const [unit, shown, read] = isLength ? ['mm', (x) => 1000 * x, (x) => x / 1000] : ['°', degrees, radians];
		const fields = ['from', 'to'].map((label, side) => {
			const input = element('input', { type: 'number', step: 'any', value: String(Number(shown(pair[side]).toFixed(3))), data: { limit: `${part ?? ''}${label}` } });
			input.onchange = () => input.value !== '' && this.page.joints.setLimit(bone, part, side, read(Number(input.value)));
			return element('label', {}, `${part === null ? '' : `${'xyz'[part]} `}${label}, ${unit}`, input);
		});
		return element('div', { className: 'fields' }, ...fields);
	}
}
