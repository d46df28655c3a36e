import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const folder: string = import.meta.dirname;
export const outputFolder: string = join(folder, 'dist');
/** Where the finished module is, and the hash of the sources it was made from. */
export const outputPath: string = join(outputFolder, 'assets.wasm');
export const stampPath: string = join(outputFolder, 'assets.stamp');
export const candidPath: string = join(folder, 'assets.did');

/** The SHA-256 of everything the module is made from: a module with this stamp need not be built again. */
export async function sourceStamp(): Promise<string> {
  const files = await readdir(join(folder, 'assembly'), { recursive: true });
  const assembly = files.filter((file) => file.endsWith('.ts')).sort();
  const fixed = ['package.json', 'assets.did', 'build.ts', 'wasm-sections.ts'];
  const hash = createHash('sha256');
  for (const file of [...fixed, ...assembly.map((name) => join('assembly', name))]) {
    hash.update(file).update(await readFile(join(folder, file)));
  }
  return hash.digest('hex');
}
