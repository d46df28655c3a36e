import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

const SHOWN_DIGITS = 16;
let known: string | undefined;

/**
 * Names what `prepareModule` makes of a module: a hash over the program files of `wasm`, so that whatever was prepared
 * by other code is prepared again, and nobody has to remember to count a number up.
 */
export function instrumentationVersion(): string {
  if (known !== undefined) return known;
  const folder = new URL('..', import.meta.url);
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (extname(name) !== extname(import.meta.url) || name.includes('.test.')) continue;
    hash.update(name).update(readFileSync(new URL(name, folder)));
  }
  known = hash.digest('hex').slice(0, SHOWN_DIGITS);
  return known;
}
