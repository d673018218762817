// The robot's visual meshes, loaded when they are first asked for.
export class Visuals {
	constructor(view, say) {
		Object.assign(this, { view, say, loaded: null });
	}

	// Loads them if they are shown and those of another robot are there.
	async update(robotNumber) {
		if (!this.view.show.visuals || this.loaded === robotNumber) return;
		this.loaded = robotNumber;
		try {
			const list = await (await answer('visuals.json')).json();
			const meshes = await Promise.all(list.map(async ({ link, pose, mesh }) => {
				const vertices = new Float32Array(await (await answer(`visuals/${mesh}`)).arrayBuffer());
				return { link, pose, vertices };
			}));
			if (this.loaded === robotNumber) this.view.setVisuals(meshes);
		} catch (error) {
			this.loaded = null;
			this.say(error.message);
		}
	}
}

// A refusal says why.
async function answer(path) {
	const response = await fetch(path);
	if (!response.ok) throw new Error(await response.text());
	return response;
}
