import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

const FILE = new URL('./versions.json', import.meta.url);

/** Makes the module the last version of a canister of `versions.json`: what had one of the others before is brought to it. */
export async function keepVersion(name: string, module: Uint8Array): Promise<void> {
  const versions = JSON.parse(await readFile(FILE, 'utf8')) as Record<string, readonly string[]>;
  const hash = createHash('sha256').update(module).digest('hex');
  const others = (versions[name] ?? []).filter((each) => each !== hash);
  const text = JSON.stringify({ ...versions, [name]: [...others, hash] }, null, 2);
  // As the formatter of the project has a list of one.
  await writeFile(FILE, `${text.replace(/\[\s+("\w+")\s+\]/g, '[$1]')}\n`);
}
