import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { keepVersion } from '../keep-version.ts';
import { type Asset, certifiedAssets } from './certified-assets.ts';
import { candidPath, folder, modulePath, sourceStamp, stampPath } from './sources.ts';

const require = createRequire(import.meta.url);

/** The part of the compiler (npm `motoko`) that is used. */
interface Compiler {
  loadPackage(source: unknown): void;
  setPublicMetadata(names: readonly string[]): void;
  write(file: string, text: string): void;
  wasm(file: string, mode: 'ic'): { readonly wasm: Uint8Array };
  candid(file: string): string;
}

/** The page may do nothing but what it needs, and is in nobody's frame. */
const HEADERS: readonly (readonly [string, string])[] = [
  [
    'Content-Security-Policy',
    // Alternative origins are asked for at the sites themselves, by https or on this computer.
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' https: http://localhost:* http://*.localhost:*; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  ],
  ['X-Frame-Options', 'DENY'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Permissions-Policy', 'publickey-credentials-get=(self), publickey-credentials-create=(self)'],
  ['Cache-Control', 'no-cache'],
];

async function bundlePage(): Promise<string> {
  await using bundle = await rolldown({
    cwd: folder,
    input: 'page/main.ts',
    platform: 'browser',
    transform: { target: 'es2022' },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  if (output.length !== 1) throw new RangeError('The page is more than one file.');
  return output[0].code;
}

async function assets(): Promise<readonly Asset[]> {
  const page = await readFile(join(folder, 'page/index.html'), 'utf8');
  const file = (path: string, type: string, text: string, status = 200): Asset => ({
    path,
    status,
    headers: [['Content-Type', type], ...HEADERS],
    body: Buffer.from(text),
  });
  return [
    file('/', 'text/html; charset=utf-8', page),
    file('/authorize', 'text/html; charset=utf-8', page),
    file('/page.js', 'text/javascript; charset=utf-8', await bundlePage()),
    file('/page.css', 'text/css; charset=utf-8', await readFile(join(folder, 'page/page.css'), 'utf8')),
    file('/icon.svg', 'image/svg+xml', await readFile(join(folder, 'page/icon.svg'), 'utf8')),
    file('<*>', 'text/plain; charset=utf-8', 'There is nothing at this address.', 404),
  ];
}

interface Built {
  readonly wasm: Uint8Array;
  readonly candid: string;
}

/** What the sources give. */
async function buildIdentity(): Promise<Built> {
  const loaded = require('motoko') as Compiler & { readonly default?: Compiler };
  const motoko = loaded.default ?? loaded;
  motoko.loadPackage(JSON.parse(await readFile(require.resolve('motoko/packages/latest/core.json'), 'utf8')));
  motoko.setPublicMetadata(['candid:service', 'candid:args']);
  for (const name of await readdir(join(folder, 'motoko'))) {
    motoko.write(name, await readFile(join(folder, 'motoko', name), 'utf8'));
  }
  motoko.write('Assets.mo', certifiedAssets(await assets()));
  const { wasm } = motoko.wasm('Main.mo', 'ic');
  return { wasm: new Uint8Array(wasm), candid: motoko.candid('Main.mo') };
}

const stamp = await sourceStamp();
const { wasm, candid } = await buildIdentity();
const files: readonly (readonly [string, string | Uint8Array])[] = [
  [modulePath, wasm],
  [candidPath, candid],
  [stampPath, `${stamp}\n`],
];
for (const [path, content] of files) {
  await writeFile(`${path}.${process.pid}`, content);
  await rename(`${path}.${process.pid}`, path);
}
await keepVersion('identity', wasm);
process.stdout.write(`canisters/system/identity/identity.wasm: ${wasm.length} bytes\n`);
