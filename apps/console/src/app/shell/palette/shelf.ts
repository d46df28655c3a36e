import { foldText } from '@cannery/contract';
import type { LucideIcon } from 'lucide-react';
import type { Deed, Doer } from './deeds.ts';
import type { PaletteEntry } from './entries.ts';
import { fit, type Found, type FindOptions, foundBy, type Shelf } from './find-entries.ts';

/** Something to do with a thing. */
export interface Verb<Thing> {
  readonly key: string;
  /** What stands before and after the name of the thing. */
  readonly before: string;
  readonly after?: string;
  /** More words that it is found by, besides those of the label. */
  readonly words?: string;
  readonly Icon: LucideIcon;
  /** What it comes to; undefined for a thing with which it cannot be done. */
  readonly does: (thing: Thing) => Deed | undefined;
}

/** A thing as the palette names it. */
interface Named {
  readonly id: string;
  readonly name: string;
  readonly note?: string;
  readonly words?: string;
}

interface ShelfOf<Thing> {
  /** Before the id of a thing in the id of its entry. */
  readonly kind: string;
  readonly group: PaletteEntry['group'];
  readonly things: readonly Thing[];
  readonly Icon: LucideIcon;
  /** What opening the thing is called, around its name. */
  readonly around?: readonly [before: string, after: string];
  readonly describe: (thing: Thing) => Named;
  readonly opens: (thing: Thing) => Deed;
  readonly verbs?: readonly Verb<Thing>[];
  readonly doer: Doer;
}

/** Longest part of a name that an entry has; a row shows less. */
const LONGEST_NAME = 200;
/** A verb is not guessed from one letter. */
const SHORTEST_WORD = 2;
/** Things that one verb is offered for. */
const THINGS_OF_VERB = 3;
/** Words that join a verb and its thing and say nothing by themselves. */
const JOINING = new Set(['a', 'code', 'for', 'in', 'of', 'on', 'the', 'to']);

/** A thing with what it is found by. */
interface Kept<Thing> {
  readonly thing: Thing;
  readonly named: Named;
  readonly found: Found;
}

/** By kind: the same row of a list is prepared once, however often the list comes again. */
const prepared = new Map<string, WeakMap<object, unknown>>();

function preparedOf<Thing extends object>(kind: string): WeakMap<Thing, Kept<Thing>> {
  const known = prepared.get(kind) ?? new WeakMap<object, unknown>();
  prepared.set(kind, known);
  // Rows of one kind are of one type.
  return known as WeakMap<Thing, Kept<Thing>>;
}

function runOf(deed: Deed, doer: Doer): () => void {
  return () => {
    if ('to' in deed) doer.go(deed.to);
    else if ('visit' in deed) doer.visit(deed.visit);
    else doer.ask(deed.ask);
  };
}

/** The words of a text that are neither of the verb nor joining ones; undefined when none is of the verb. */
function restOf(typed: readonly string[], words: readonly string[]): string[] | undefined {
  const isOfVerb = (word: string): boolean =>
    word.length >= SHORTEST_WORD && words.some((one) => one.startsWith(word));
  if (!typed.some(isOfVerb)) return undefined;
  return typed.filter((word) => !isOfVerb(word) && !JOINING.has(word));
}

/** A shelf of the things of one kind. */
export function shelfOf<Thing extends object>(of: ShelfOf<Thing>): Shelf {
  const { kind, group, things, Icon, describe, opens, verbs = [], doer, around = ['', ''] } = of;
  const ready = preparedOf<Thing>(kind);
  const keep = (thing: Thing): Kept<Thing> => {
    const known = ready.get(thing);
    if (known !== undefined) return known;
    const named = describe(thing);
    const name = named.name.slice(0, LONGEST_NAME);
    const kept = {
      thing,
      named: { ...named, id: `${kind}:${named.id}`, name },
      found: foundBy(name, around.join(' '), named.note, named.words),
    };
    ready.set(thing, kept);
    return kept;
  };
  const all = things.map(keep);
  const byId = new Map(all.map((kept) => [kept.named.id, kept]));
  const wordsOfVerbs = verbs.map(({ before, after = '', words = '' }) =>
    foldText(`${before} ${after} ${words}`)
      .split(/\s+/)
      .filter((word) => word !== '' && !JOINING.has(word)),
  );

  const toEntry = ({ thing, named }: Kept<Thing>): PaletteEntry => {
    const deed = opens(thing);
    return {
      id: named.id,
      group,
      label: `${around[0]}${named.name}${around[1]}`,
      name: named.name,
      ...(named.note !== undefined && { note: named.note }),
      ...('to' in deed && { to: deed.to }),
      Icon,
      run: runOf(deed, doer),
    };
  };

  const toDeed = ({ thing, named }: Kept<Thing>, verb: Verb<Thing>): PaletteEntry | undefined => {
    const deed = verb.does(thing);
    return (
      deed && {
        id: `${named.id}:${verb.key}`,
        thing: named.id,
        group: 'Do',
        label: `${verb.before} ${named.name}${verb.after === undefined ? '' : ` ${verb.after}`}`,
        name: named.name,
        ...(named.note !== undefined && { note: named.note }),
        ...('to' in deed && { to: deed.to }),
        Icon: verb.Icon,
        run: runOf(deed, doer),
      }
    );
  };

  /** The things that fit, the best first, of those alike what was used last; as long as `take` wants more. */
  function best(
    typed: readonly string[],
    recent: readonly string[],
    take: (kept: Kept<Thing>) => boolean,
  ): void {
    const used = new Set(recent.flatMap((id) => byId.get(id) ?? []));
    if (typed.length === 0) {
      for (const kept of used) if (!take(kept)) return;
      for (const kept of all) if (!used.has(kept) && !take(kept)) return;
      return;
    }
    const byScore: Kept<Thing>[][] = [[], [], [], []];
    for (const kept of used) byScore[fit(kept.found, typed)]?.push(kept);
    for (const kept of all) {
      const score = fit(kept.found, typed);
      if (score > 0 && !used.has(kept)) byScore[score]?.push(kept);
    }
    for (let score = 3; score > 0; score -= 1)
      for (const kept of byScore[score] ?? []) if (!take(kept)) return;
  }

  return {
    find(typed, { recent, most }) {
      const entries: PaletteEntry[] = [];
      best(typed, recent, (kept) => entries.push(toEntry(kept)) < most);
      return entries;
    },
    act(typed, { recent, most }: FindOptions) {
      const entries: PaletteEntry[] = [];
      for (const [index, verb] of verbs.entries()) {
        const rest = restOf(typed, wordsOfVerbs[index] ?? []);
        if (rest === undefined) continue;
        let taken = 0;
        best(rest, recent, (kept) => {
          const deed = toDeed(kept, verb);
          if (deed !== undefined) {
            entries.push(deed);
            taken += 1;
          }
          return taken < THINGS_OF_VERB && entries.length < most;
        });
        if (entries.length >= most) break;
      }
      return entries;
    },
    entry(id) {
      const kept = byId.get(id);
      return kept && toEntry(kept);
    },
  };
}
