import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const folder: string = import.meta.dirname;
/** The compiled module, kept with its sources: a network needs no compiler to install it. */
export const modulePath: string = join(folder, 'identity.wasm');
export const candidPath: string = join(folder, 'identity.did');
/** The hash of the sources that the module was made from. */
export const stampPath: string = join(folder, 'identity.stamp');

const SOURCES = ['build.ts', 'certified-assets.ts', 'interface.ts'];
/** What compiles, and what goes into the page. */
const PACKAGES = ['@icp-sdk/core', 'motoko', 'rolldown'];

/** The part of `package-lock.json` that is read. */
interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string }>>;
}

/** The SHA-256 of everything the module is made from. */
export async function sourceStamp(): Promise<string> {
  const below = await Promise.all(
    ['motoko', 'page'].map(async (each) =>
      (await readdir(join(folder, each))).map((name) => join(each, name)),
    ),
  );
  const hash = createHash('sha256');
  for (const file of [...SOURCES, ...below.flat()].sort()) {
    hash.update(file).update(await readFile(join(folder, file)));
  }
  const lock = JSON.parse(await readFile(join(folder, '../../../package-lock.json'), 'utf8')) as Lock;
  for (const name of PACKAGES) hash.update(`${name} ${lock.packages[`node_modules/${name}`]?.version}`);
  return hash.digest('hex');
}
