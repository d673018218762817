// Colours of the scene, light and dark.
export const THEMES = {
	light: {
		background: 0xf4f6f8, grid: 0xc4ccd5, gridStrong: 0x97a4b1, branches: [0x9db8d4, 0xd3c6ae, 0xb3c9ae, 0xc5b5d3], object: 0xb4bac2,
		red: 0xd9303e, orange: 0xf0962a, visual: 0x8a94a0, outside: 0x00a897, chosen: [0.03, 0.17, 0.5], lit: [0.28, 0.26, 0.05],
		sky: [0.62, 0.62, 0.63], ground: [0.2, 0.21, 0.23], dotRim: [1, 1, 1, 1],
		line: 0x12a150, contact: 0xb3121f, normal: 0x2467b3, strong: 0x111418,
	},
	dark: {
		background: 0x11151a, grid: 0x303a45, gridStrong: 0x4a5867, branches: [0x7695b8, 0xb5a688, 0x8fa98a, 0xa393b5], object: 0x848b93,
		red: 0xf04452, orange: 0xf0962a, visual: 0x9aa6b4, outside: 0x2fe0cf, chosen: [0.04, 0.22, 0.6], lit: [0.2, 0.19, 0.04],
		sky: [0.52, 0.53, 0.55], ground: [0.1, 0.11, 0.13], dotRim: [0.45, 0.02, 0.06, 1],
		line: 0x4fe08c, contact: 0xffd0d3, normal: 0x7db9ff, strong: 0xffffff,
	},
};

// Red, green and blue from 0 to 1.
export const rgb = (hex) => [(hex >> 16) & 255, (hex >> 8) & 255, hex & 255].map((x) => x / 255);
// Light adds up in squares of what a screen is told.
const squares = new Map();
export function squared(hex) {
	if (!squares.has(hex)) squares.set(hex, rgb(hex).map((x) => x * x));
	return squares.get(hex);
}
