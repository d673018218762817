// The objects of the scene as a file: loading one.
import { element } from './dom.js';

// Asks for a file and sends it; `say` shows what is wrong with it.
export function loadWorld(say) {
	const input = element('input', { type: 'file', accept: '.yaml,.yml,.json' });
	input.onchange = () => input.files[0] && sendWorld(input.files[0], say);
	input.click();
}

async function sendWorld(file, say) {
	try {
		const answer = await fetch('world.yaml', { method: 'POST', body: await file.text() });
		if (!answer.ok) say(await answer.text());
	} catch (error) {
		say(`${file.name} could not be sent: ${error.message}`);
	}
}
