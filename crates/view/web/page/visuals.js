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
			const list = await (await fetch('visuals.json')).json();
			const meshes = await Promise.all(list.map(async ({ link, pose, color, mesh }) => {
				const vertices = new Float32Array(await (await fetch(`visuals/${mesh}`)).arrayBuffer());
				return { link, pose, color: color ?? this.view.colors.visual, vertices };
			}));
			if (this.loaded === robotNumber) this.view.setVisuals(meshes);
		} catch (error) {
			this.loaded = null;
			this.say(`The visual meshes could not be loaded: ${error.message}`);
		}
	}
}
