import { foldText } from '@cannery/contract';
import { groupOrder, type PaletteEntry, type PaletteGroup } from './entries.ts';
import { RECENT_SIZE } from './recent-entries.ts';

/** Things of one kind, such as canisters: thousands of them, of which few are shown. */
export interface Shelf {
  /** The things that have all words, the best first. */
  find(typed: readonly string[], options: FindOptions): PaletteEntry[];
  /** What can be done with things: the verb has some of the words, and the thing the others. */
  act(typed: readonly string[], options: FindOptions): PaletteEntry[];
  /** A thing that was used before. */
  entry(id: string): PaletteEntry | undefined;
  /** Works out ahead what a search needs, in steps of a few milliseconds: the first key then finds it at once. */
  prepare(): Generator<void>;
}

/** Prepares shelves while nobody waits for it. @returns what ends that */
export function prepareShelves(shelves: readonly Shelf[]): () => void {
  const steps = (function* () {
    for (const shelf of shelves) yield* shelf.prepare();
  })();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const step = (): void => {
    if (steps.next().done !== true) timer = setTimeout(step);
  };
  timer = setTimeout(step);
  return () => clearTimeout(timer);
}

export interface FindOptions {
  /** Ids of what was used last, newest first. */
  readonly recent: readonly string[];
  /** Most entries. */
  readonly most: number;
}

/** What something is found by, folded. */
export interface Found {
  readonly label: string;
  /** What else it is found by. */
  readonly rest: string;
}

/** How many entries of a group are on show before anything is typed; the others have no bound, since they are few. */
const atFirst: Partial<Record<PaletteEntry['group'], number>> = { Tabs: 0, Guide: 0, Demo: 0 };
/** Things of a kind that are on show; the rest is found by typing more. */
const SHOWN_THINGS = 6;
/** Chapters, tabs and pages of the demo that are on show for what is typed. */
const SHOWN_PLACES = 6;
/** Things to do that are on show of one kind of thing. */
const SHOWN_DEEDS = 6;

/** What an entry is found by; made once an entry, since every key searches all of them. */
const searched = new WeakMap<PaletteEntry, Found>();

/** The texts of something, as searches compare them. */
export function foundBy(label: string, ...rest: readonly (string | undefined)[]): Found {
  return { label: foldText(label), rest: foldText(rest.filter(Boolean).join(' ')) };
}

function foundByOf(entry: PaletteEntry): Found {
  const known = searched.get(entry);
  if (known !== undefined) return known;
  const made = foundBy(entry.label, entry.note, entry.words);
  searched.set(entry, made);
  return made;
}

/** How well something fits what was typed: 0 not at all, more is better up to 3. */
export function fit({ label, rest }: Found, typed: readonly string[]): number {
  for (const word of typed) if (!label.includes(word) && !rest.includes(word)) return 0;
  const [first = ''] = typed;
  if (label.startsWith(first)) return 3;
  return label.includes(first) ? 2 : 1;
}

/** What was typed, as words to search by. */
function wordsOf(text: string): string[] {
  return foldText(text).split(/\s+/).filter(Boolean);
}

/** Places and actions that fit, the best first, and of what fits alike what was used last. */
function fixedOf(fixed: readonly PaletteEntry[], typed: readonly string[], recent: readonly string[]) {
  const age = ({ id }: PaletteEntry): number => (recent.includes(id) ? recent.indexOf(id) : recent.length);
  return fixed
    .map((entry) => ({ entry, score: typed.length === 0 ? 1 : fit(foundByOf(entry), typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || age(a.entry) - age(b.entry))
    .map(({ entry }) => entry);
}

/** What the palette can offer. */
export interface Offered {
  /** What is the same whoever asks, and what can be done with what is open. */
  readonly fixed: readonly PaletteEntry[];
  readonly shelves: readonly Shelf[];
}

/**
 * What the palette lists: what was used last first while nothing is typed, else what fits, the best of each group first, and of
 * what fits alike what was used last. The time it takes grows with what there is, the list does not.
 * @param open the id of the entry of what is open, to which nobody needs the way
 */
export function paletteGroups(
  { fixed, shelves }: Offered,
  text: string,
  recent: readonly string[],
  open?: string,
): PaletteGroup[] {
  const typed = wordsOf(text);
  const known = (id: string): PaletteEntry | undefined => {
    const place = fixed.find((entry) => entry.id === id);
    if (place !== undefined) return place;
    for (const shelf of shelves) {
      const thing = shelf.entry(id);
      if (thing !== undefined) return thing;
    }
    return undefined;
  };
  const last =
    typed.length > 0
      ? []
      : recent
          .filter((id) => id !== open)
          .flatMap((id) => known(id) ?? [])
          .slice(0, RECENT_SIZE);
  const isNew = ({ id }: PaletteEntry): boolean => !last.some((entry) => entry.id === id);
  const options = { recent, most: SHOWN_THINGS + last.length };
  const things = shelves.flatMap((shelf) => shelf.find(typed, options)).filter(isNew);
  const deeds =
    typed.length === 0
      ? []
      : shelves
          .flatMap((shelf) => shelf.act(typed, { recent, most: SHOWN_DEEDS }))
          // What is open has its actions in a group before.
          .filter(({ thing }) => thing !== open);
  const all = [...fixedOf(fixed, typed, recent).filter(isNew), ...deeds, ...things];
  const most = (name: PaletteEntry['group']): number => {
    if (things.some(({ group }) => group === name)) return SHOWN_THINGS;
    if (!(name in atFirst)) return Number.POSITIVE_INFINITY;
    return typed.length === 0 ? (atFirst[name] ?? 0) : SHOWN_PLACES;
  };
  const groups: PaletteGroup[] = groupOrder.map((name) => ({
    name,
    entries: all.filter(({ group }) => group === name).slice(0, most(name)),
  }));
  return [{ name: 'Recent' as const, entries: last }, ...groups].filter((group) => group.entries.length > 0);
}
