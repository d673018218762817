// Keys, unless something is being typed.
export function listenToKeys(actions) {
	addEventListener('keydown', (event) => {
		const field = event.target.closest?.('input:not([type=range]):not([type=checkbox]), select, dialog');
		if (field) return;
		const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
		let name = key;
		if (event.ctrlKey || event.metaKey) {
			name = key === 'y' || (key === 'z' && event.shiftKey) ? 'redo' : key === 'z' ? 'undo' : null;
		} else if (key === ' ' && event.target.closest?.('button, summary, a, input[type=checkbox]')) {
			return;
		}
		const action = name && Object.hasOwn(actions, name) && actions[name];
		if (!action) return;
		event.preventDefault();
		action(event);
	});
}
