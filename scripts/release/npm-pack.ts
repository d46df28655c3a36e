import { execFileSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { npmEnvironment } from '../steps/bring.mjs';

/** The package is not what it should be. */
class PackError extends Error {
  override readonly name = 'PackError';
}

interface Packed {
  readonly filename: string;
  /** In bytes. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

const mib = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MiB`;

/**
 * Makes the npm package of a folder.
 * @param output the folder to put it in
 * @returns a line that says its name and its size
 * @throws PackError when npm has left out a file
 */
export async function npmPack(folder: string, output: string): Promise<string> {
  await mkdir(output, { recursive: true });
  const npm = process.env['npm_execpath'] ?? 'npm';
  const text = execFileSync(process.execPath, [npm, 'pack', '--json', '--pack-destination', output], {
    cwd: folder,
    encoding: 'utf8',
    env: npmEnvironment(process.env),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const answer: unknown = JSON.parse(text);
  const [packed] = Object.values(answer as object) as [Packed];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const wanted = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  const names = new Set(packed.files.map((file) => file.path));
  const missing = wanted.filter((file) => !names.has(file));
  if (missing.length > 0) throw new PackError(`npm left out of the package: ${missing.join(', ')}`);
  return `${packed.filename}: ${mib(packed.size)}, ${mib(packed.unpackedSize)} unpacked, ${names.size} files`;
}
