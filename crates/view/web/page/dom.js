// Short words for making elements.
export const byId = (id) => document.getElementById(id);

export function element(tag, properties = {}, ...children) {
	const made = document.createElement(tag);
	const { data = {}, ...rest } = properties;
	Object.assign(made, rest);
	Object.assign(made.dataset, data);
	made.append(...children);
	return made;
}

export const button = (text, title, onclick, data = {}) => element('button', { textContent: text, title, onclick, data });
