// How much of a link's mesh its surfaces contain while they are edited: asked anew after each change, one question at a time.
export class Cover {
	constructor(view, words) {
		Object.assign(this, { view, words, without: new Set() });
	}

	// The link whose surfaces are edited, if any, in this picture of the scene.
	update(picture, link) {
		const index = link == null || !picture?.has_geometry ? -1 : picture.links.findIndex(({ name }) => name === link);
		this.wanted = index < 0 ? null : { link, index, robot: picture.robot_number, revision: picture.revision };
		if (!this.wanted || this.shown?.link !== link || this.shown?.robot !== picture.robot_number) this.clear();
		this.ask();
	}

	clear() {
		this.shown = null;
		this.words.hidden = true;
		this.view.setOutside(null);
	}

	async ask() {
		const asked = this.wanted;
		if (!asked || this.asking || this.shown?.revision === asked.revision) return;
		const key = `${asked.robot} ${asked.link}`;
		if (this.without.has(key)) return;
		this.asking = true;
		try {
			const response = await fetch(`cover/${encodeURIComponent(asked.link)}`);
			if (!response.ok) throw new Error(await response.text());
			const bytes = new Uint8Array(await response.arrayBuffer());
			const end = bytes.indexOf(10);
			const answer = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
			if (answer.reason) this.without.add(key);
			else if (this.wanted?.link === asked.link && this.wanted.robot === asked.robot) this.set({ ...asked, ...answer }, bytes.slice(end + 1));
		} catch (error) {
			// The page says elsewhere that the connection is lost; the next change asks again.
			if (this.wanted) this.clear();
			this.failed = error.message;
			return;
		} finally {
			this.asking = false;
		}
		this.ask();
	}

	set(answer, bytes) {
		const vertices = new Float32Array(bytes.buffer);
		this.shown = answer;
		this.view.setOutside(vertices.length ? { link: answer.index, vertices } : null);
		// What sticks out is never rounded away.
		const percent = vertices.length ? Math.min(99.9, Math.floor(1000 * answer.covered) / 10) : 100;
		const proof = answer.proven ? ', proven' : vertices.length ? '; the rest is drawn' : '';
		this.words.textContent = `${percent.toFixed(1)} % of the mesh is inside${proof}`;
		this.words.classList.toggle('uncovered', vertices.length > 0);
		this.words.hidden = false;
	}
}
