// Which folder may import from which (layers.json): a folder those on the floors below it, a room of a divided folder those listed
// before it, a package those that its package.json names. A folder that has no floor fails until it is placed, and so does a room.
// The same table says what code of some folders must not do (rules).
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brokenRules, type Rule } from './layer-rules.ts';
import { importsOf, isTest, sourceFiles } from './source-files.ts';

interface PackageLayers {
  /**
   * Folders and files of the package, the lowest first; each may import those before it. What is in a listed folder needs no entry, but
   * where folders below one are listed it holds its direct files only. `<folder>/*` is a floor of siblings.
   */
  readonly floors: readonly string[];
  /**
   * Divided folders -> their rooms with spaces between, the lowest first: folders or files in them, by their paths from there. Each may
   * import those before it. '.' is what lies in no listed room; a folder must be listed, and what lies there directly is the highest where '.' is not.
   */
  readonly rooms?: Readonly<Record<string, string>>;
  /** Siblings -> those of the same floor that they may import, by their last names. */
  readonly siblings?: Readonly<Record<string, readonly string[]>>;
  /** Floors of tools -> packages that they use though package.json does not name them. */
  readonly tools?: Readonly<Record<string, readonly string[]>>;
}

/** Where a file is: its package, the number of its floor, and the listed folder or the sibling. */
interface Place {
  readonly owner: string;
  readonly floor: number;
  readonly name: string;
}

const { rules = [], ...layers } = JSON.parse(readFileSync('layers.json', 'utf8')) as {
  readonly rules?: readonly Rule[];
} & Readonly<Record<string, PackageLayers>>;
const owners = Object.keys(layers);

interface Manifest {
  readonly name: string;
  readonly dependencies?: object;
  readonly devDependencies?: object;
}
const manifests = new Map(
  owners.map((owner) => [owner, JSON.parse(readFileSync(`${owner}/package.json`, 'utf8')) as Manifest]),
);
const ownerOf = new Map([...manifests].map(([owner, { name }]) => [name, owner]));
const needs = (owner: string, other: string): boolean => {
  const { dependencies = {}, devDependencies = {} } = manifests.get(owner) ?? {};
  return (manifests.get(other)?.name ?? '') in { ...dependencies, ...devDependencies };
};

/** The name by which `file` is on a floor, if it is. */
function nameOn(floor: string, file: string, floors: readonly string[]): string | undefined {
  if (floor.endsWith('/*')) {
    const folder = floor.slice(0, -1);
    const [sibling, ...rest] = file.startsWith(folder) ? file.slice(folder.length).split('/') : [];
    return sibling !== undefined && rest.length > 0 ? folder + sibling : undefined;
  }
  if (file === floor) return floor;
  const hasListed = floors.some((other) => other.startsWith(`${floor}/`));
  const isIn = hasListed ? path.posix.dirname(file) === floor : file.startsWith(`${floor}/`);
  return isIn || floor === '.' ? floor : undefined;
}

function placeOf(file: string): Place | undefined {
  const owner = owners.find((each) => file.startsWith(`${each}/`));
  const floors = owner === undefined ? [] : (layers[owner]?.floors ?? []);
  for (const [index, floor] of floors.entries()) {
    const name = nameOn(floor, file.slice(`${owner}/`.length), floors);
    if (owner !== undefined && name !== undefined) return { owner, floor: index, name };
  }
  return undefined;
}

/** The file that is imported, if it is of this project. */
function target(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier);
  const owner = ownerOf.get(specifier.split('/').slice(0, 2).join('/'));
  return owner === undefined ? undefined : `${owner}/`;
}

/** The number of the room of `file`, a path from the divided folder; undefined for a folder that is not listed. */
function roomOf(file: string, rooms: readonly string[]): number | undefined {
  const listed = rooms.filter((room) => file === room || file.startsWith(`${room}/`));
  const [room] = listed.toSorted((one, other) => other.length - one.length);
  if (room !== undefined) return rooms.indexOf(room);
  if (file.includes('/')) return undefined;
  return rooms.includes('.') ? rooms.indexOf('.') : rooms.length;
}

/** Why a file may not import another of the same divided folder; undefined where it may. */
function wrongRoom(owner: string, file: string, imported: string): string | undefined {
  for (const [folder, list] of Object.entries(layers[owner]?.rooms ?? {})) {
    const rooms = list.split(' ');
    const start = `${owner}/${folder}/`;
    if (!file.startsWith(start) || !imported.startsWith(start)) continue;
    const from = roomOf(file.slice(start.length), rooms);
    const to = roomOf(imported.slice(start.length), rooms);
    if (from === undefined || to === undefined)
      return `the rooms of ${folder} do not list the folder of ${from === undefined ? file : imported}`;
    if (from < to) return `it is in a room of ${folder} above`;
  }
  return undefined;
}

const usedSiblings = new Set<string>();

/** Why one place may not import another; undefined where it may. */
function refusal(from: Place, to: Place): string | undefined {
  if (from.floor > to.floor || from.name === to.name) return undefined;
  if (from.floor < to.floor) return `${to.name} is on a floor above ${from.name}`;
  const name = path.posix.basename(to.name);
  usedSiblings.add(`${from.owner} ${from.name} ${name}`);
  const isListed = layers[from.owner]?.siblings?.[from.name]?.includes(name) === true;
  return isListed ? undefined : `${from.name} does not list its sibling ${name}`;
}

const files = sourceFiles(/\.tsx?$/);
const problems = brokenRules(rules, files);
for (const file of files) {
  if (isTest(file) || !/^(packages|apps|canisters)\//.test(file) || file.endsWith('.config.ts')) continue;
  const from = placeOf(file);
  if (from === undefined) {
    problems.push(`${file}: its folder is on no floor of layers.json; place it.`);
    continue;
  }
  for (const specifier of importsOf(readFileSync(file, 'utf8'))) {
    const imported = target(file, specifier);
    if (imported === undefined) continue;
    const other = owners.find((each) => imported.startsWith(`${each}/`));
    if (other !== undefined && other !== from.owner) {
      const isTool = layers[from.owner]?.tools?.[from.name]?.includes(other) === true;
      if (!isTool && (specifier.startsWith('.') || !needs(from.owner, other)))
        problems.push(`${file}: the package.json of ${from.owner} does not name ${other} (${specifier}).`);
      continue;
    }
    const to = placeOf(imported);
    const reason =
      to === undefined ? 'it is on no floor' : (refusal(from, to) ?? wrongRoom(from.owner, file, imported));
    if (reason !== undefined) problems.push(`${file}: may not import ${specifier}: ${reason}.`);
  }
}
for (const [owner, { floors, rooms = {}, siblings = {} }] of Object.entries(layers)) {
  for (const [folder, list] of Object.entries(rooms))
    for (const name of list.split(' '))
      if (!existsSync(path.join(owner, folder, name)))
        problems.push(`layers.json lists ${owner}/${folder}/${name}, which does not exist.`);
  for (const floor of floors)
    if (!existsSync(path.join(owner, floor.replace(/\/\*$/, ''))))
      problems.push(`layers.json lists ${owner}/${floor}, which does not exist.`);
  for (const [from, names] of Object.entries(siblings))
    for (const name of names)
      if (!usedSiblings.has(`${owner} ${from} ${name}`))
        problems.push(`layers.json lets ${owner}/${from} import ${name}, which it does not.`);
}

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
