// Puts the server and the network into a few files each: Node takes twice the time to start them from 1,700 modules.
// Arguments: the folder to write, below `.cache`; further programs, as `name=source`. With `--only` between them, those alone, without
// comments and white space; names stay, so that a trace shows the names of functions.
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { leftToNode, ofDevelopers } from './release/runtime-packages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [, , folder, ...rest] = process.argv;
const isSmall = rest[0] === '--only';
const more = isSmall ? rest.slice(1) : rest;
if (folder === undefined) throw new Error('Name the folder to write.');
const incoming = `${folder}.${process.pid}`;

/** Node loads them as ever. */
const external = [...leftToNode, ...ofDevelopers];
/** Words by which code finds files beside it. */
const PLACE = /\b__dirname\b|\b__filename\b|\bimport\.meta\.(?:url|dirname|filename|resolve)\b/;
/** What stays as it is in a bundle, and would be the place of the bundle. */
const UNKNOWN = /\b__dirname\b|\b__filename\b|\bimport\.meta\.filename\b/;
/** A program or a thread of ours, named by its place beside the module that starts it. */
const STARTED = /new URL\(\s*'(\.{1,2}\/[\w./-]+\.ts)',\s*import\.meta\.url,?\s*\)/g;

/**
 * Modules of ours keep the place they have in the project, where scripts and settings lie beside them. The programs and
 * threads that they start are bundled too.
 */
const places: Plugin = {
  name: 'places',
  transform: {
    filter: { code: PLACE },
    handler(code, id) {
      if (id.includes('node_modules')) {
        throw new Error(`${id} finds files by its place: name its package in 'external'.`);
      }
      if (UNKNOWN.test(code)) throw new Error(`${id}: use import.meta.url or import.meta.dirname.`);
      const withStarted = code.replace(STARTED, (_, relative: string) => {
        const file = path.resolve(path.dirname(id), relative);
        return `new URL(import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id: file })})`;
      });
      const place = (file: string): string => path.relative(incoming, file).split(path.sep).join('/');
      return withStarted
        .replace(/\bimport\.meta\.url\b/g, `new URL('${place(id)}', import.meta.url).href`)
        .replace(/\bimport\.meta\.dirname\b/g, `(import.meta.dirname + '/${place(path.dirname(id))}')`);
    },
  },
};

const bundle = await rolldown({
  cwd: root,
  input: {
    ...(!isSmall && { server: 'apps/server/src/main.ts', network: 'packages/network/src/cli.ts' }),
    ...Object.fromEntries(more.map((each) => each.split('='))),
  },
  platform: 'node',
  external: external.map((name) => new RegExp(`^${name}(?:/|$)`)),
  plugins: [places],
  onLog(level, log, handle) {
    // Packages of others do what they do.
    if (log.code !== 'EVAL') handle(level, log);
  },
});
await bundle.write({
  dir: incoming,
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
  ...(isSmall && { minify: { compress: false, mangle: false, codegen: true } }),
});
await bundle.close();
// Where another start has made the same meanwhile, theirs stays: programs may run from it.
await rename(incoming, folder).catch(() => rm(incoming, { recursive: true }));
