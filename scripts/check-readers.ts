// Every place that reads what others may have written is a row of readers.json: with the row of a doubling test (twice the
// input, at most twice the work), or with the reason why nobody else can write it. A reader without a row fails.
import { existsSync, readFileSync } from 'node:fs';
import { isTest, sourceFiles } from './source-files.ts';

/** A row of readers.json, by the file of the reader. */
interface Reader {
  /** What it reads, and from whom. */
  readonly reads: string;
  /** The most it reads. */
  readonly cap?: string;
  /** Name of the row in a doubling test. */
  readonly doubled?: string;
  /** Why no stranger, canister or repository writes it, or why its work does not depend on what they write. */
  readonly own?: string;
}

/** What turns bytes or texts into values. */
const READING: Readonly<Record<string, RegExp>> = {
  'JSON.parse': /\bJSON\.parse\(/,
  JSON5: /\bJSON5\.parse\(/,
  YAML: /\bparse(?:All)?Documents?\(/,
  TOML: /\bfrom 'smol-toml'/,
  'an expression made of text': /\bnew RegExp\(/,
  'all matches of an expression': /\.matchAll\(/,
  Candid: /\bIDL\.decode\(/,
  CBOR: /\b(?:decodeCbor|decodeCborMaps|Cbor\.decode)\(/,
  'packed bytes':
    /\b(?:gunzip|inflate|inflateRaw|unzip|brotliDecompress)(?:Sync)?\(|\bcreate(?:Gunzip|Inflate|Unzip)\(/,
  'bytes as text': /\bnew TextDecoder(?:Stream)?\(/,
  HTML: /\bnew DOMParser\(/,
};

/** Programs of tests and of this project's own work. */
const OURS = /^packages\/dev-env\/|\/(?:conformance|crash)\//;

/** A source without its comments, which may name what they do not call. */
function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}

const readers = new Map(
  Object.entries(JSON.parse(readFileSync('readers.json', 'utf8')) as Record<string, Reader>),
);
/** Texts of the tests that double an input. */
const doublings = sourceFiles(/\.(?:test|spec)\.tsx?$/)
  .map((file) => readFileSync(file, 'utf8'))
  .filter((text) => /\/(?:expect-linear|double-texts)\.ts'/.test(text))
  .join('\n');
const problems: string[] = [];
const seen = new Set<string>();
for (const file of sourceFiles(/^(?:packages|apps)\/[^/]+\/src\/.*\.(?:tsx?|mjs)$/)) {
  if (isTest(file) || OURS.test(file)) continue;
  const source = withoutComments(readFileSync(file, 'utf8'));
  const reading = Object.keys(READING).filter((name) => READING[name]?.test(source));
  if (reading.length === 0) continue;
  seen.add(file);
  if (!readers.has(file))
    problems.push(
      `${file}: reads ${reading.join(', ')} and has no row in readers.json. Add it, with its doubling test.`,
    );
}
for (const [file, { doubled, own }] of readers) {
  if (!existsSync(file)) problems.push(`readers.json lists ${file}, which does not exist.`);
  if ((doubled === undefined) === (own === undefined))
    problems.push(`${file}: its row in readers.json needs either 'doubled' or 'own'.`);
  if (doubled !== undefined && !doublings.includes(`'${doubled}'`))
    problems.push(`${file}: no doubling test has a row '${doubled}'.`);
}

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
