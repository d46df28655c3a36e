// Which files may call a decoder of the agent library. None of these has a budget: a reply of some bytes can make them work
// for minutes. `decodeEncoded` of @cannery/candid has one, and `readSmall` and `readItems` of the server stand before it.
import { readFileSync } from 'node:fs';
import { isTest, sourceFiles } from './source-files.ts';

/** Files that may, and why what they decode is bounded before. */
const allowed: ReadonlyMap<string, string> = new Map([
  ['packages/candid/src/decode-encoded.ts', 'checks the message against a budget first'],
  ['packages/network/src/system-api/outcall-parameter.ts', 'types and sizes are checked by the file'],
  ['packages/network/src/management/decode-argument.ts', 'types and sizes are checked by the file'],
  [
    'apps/console/src/candid/reply/decode-reply.ts',
    'checks the message against a budget first, in a browser',
  ],
  ['apps/server/src/ic/certified.ts', 'a certified leaf of 1 kB at most'],
  ['apps/server/src/ic/signed-call.ts', 'answers of bounded-fetch.ts, and calls of the server'],
]);
/** Bare decoders, also under another name: a use of the member, not of a method of an unrelated object. */
const DECODERS = [
  /\bIDL\s*(?:\?\.|\.)\s*decode\b/,
  /\bIDL\s*\[/,
  /\{[^}]*\bdecode\b[^}]*\}\s*=\s*IDL\b/,
  /\bCbor\s*\.\s*decode\b/,
  /\bcborDecode\b/,
  /\bCertificate\s*\.\s*create\b/,
  /import\s+\*\s+as\s+\w+\s+from\s+'@icp-sdk\/core\/(?:candid|agent)'/,
  /import\s+\{[^}]*\bIDL\s+as\b[^}]*\}\s+from\s+'@icp-sdk\/core\/candid'/,
];
/** Only these may check without decoding: what decodes after them is theirs. */
const CHECKED = /\bcheckEncoded\(/;
const checkers = new Set([
  'packages/candid/src/check-encoded.ts',
  'packages/candid/src/decode-encoded.ts',
  'apps/server/src/candid/candid-work.ts',
  'apps/console/src/candid/reply/decode-reply.ts',
]);

/** A text without its comments. */
const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');

const problems: string[] = [];
for (const file of sourceFiles(/\.tsx?$/)) {
  if (isTest(file) || !/^(?:apps|packages)\/[^/]+\/src\//.test(file)) continue;
  const source = withoutComments(readFileSync(file, 'utf8'));
  if (DECODERS.some((decoder) => decoder.test(source)) && !allowed.has(file))
    problems.push(
      `${file}: decodes without a budget; use decodeEncoded of @cannery/candid, or readSmall and readItems.`,
    );
  if (CHECKED.test(source) && !checkers.has(file))
    problems.push(`${file}: checks a message to decode it elsewhere; use decodeEncoded of @cannery/candid.`);
}

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
