// Bundles src/ into dist/, with the licences of what is in the bundle and the digests of the sources, by which a test
// knows whether dist/ is up to date.
import { build } from 'esbuild';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';

mkdirSync('dist', { recursive: true });
await build({
  entryPoints: { app: 'src/main.js' },
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  outdir: 'dist',
});
await build({ entryPoints: { app: 'src/app.css' }, bundle: true, minify: true, outdir: 'dist' });
copyFileSync('src/index.html', 'dist/index.html');

const three = JSON.parse(readFileSync('node_modules/three/package.json', 'utf8'));
const licence = readFileSync('node_modules/three/LICENSE', 'utf8').trimEnd();
const header = `three ${three.version} (${three.homepage}) is part of app.js, under this licence:`;
writeFileSync('dist/licences.txt', `${header}\n\n${licence}\n`);

// FNV-1a, 64 bits.
function digest(bytes) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

const sources = readdirSync('src').map((name) => `src/${name}`);
sources.push('package.json', 'package-lock.json', 'build.mjs');
sources.sort();
writeFileSync('dist/sources.txt', sources.map((path) => `${digest(readFileSync(path))} ${path}\n`).join(''));
