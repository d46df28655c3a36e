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

/** What is worked out of the things of one kind; it is kept with them, and with their list. */
class Searched {
  readonly #lists = new WeakMap<readonly object[], readonly Found[]>();
  readonly #things = new WeakMap<object, Found>();
  readonly #places = new WeakMap<readonly object[], ReadonlyMap<string, number>>();

  /** What the things of a list are found by. Things that are still the same when their list comes again are known. */
  of<Thing extends object>(things: readonly Thing[], find: (thing: Thing) => Found): readonly Found[] {
    const known = this.#lists.get(things) ?? things.map((thing) => this.#ofThing(thing, find));
    this.#lists.set(things, known);
    return known;
  }

  /** Works some of that out ahead. */
  prepare<Thing extends object>(things: readonly Thing[], find: (thing: Thing) => Found): void {
    for (const thing of things) this.#ofThing(thing, find);
  }

  /** Where the thing of an id is in a list; -1 when it is not there. */
  placeOf<Thing extends object>(
    things: readonly Thing[],
    id: string,
    idOf: (thing: Thing) => string,
  ): number {
    const known = this.#places.get(things) ?? new Map(things.map((thing, place) => [idOf(thing), place]));
    this.#places.set(things, known);
    return known.get(id) ?? -1;
  }

  #ofThing<Thing extends object>(thing: Thing, find: (thing: Thing) => Found): Found {
    const known = this.#things.get(thing) ?? find(thing);
    this.#things.set(thing, known);
    return known;
  }
}

const searchedKinds = new Map<string, Searched>();

function searchedOf(kind: string): Searched {
  const known = searchedKinds.get(kind) ?? new Searched();
  searchedKinds.set(kind, known);
  return known;
}

/** Things that are looked at in one go: a few milliseconds of a slow computer. */
const SLICE = 500;

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
  const named = (thing: Thing): Named => {
    const { id, name, ...rest } = describe(thing);
    return { ...rest, id: `${kind}:${id}`, name: name.slice(0, LONGEST_NAME) };
  };
  const searched = searchedOf(kind);
  const findBy = (thing: Thing): Found => {
    const { name, note, words } = describe(thing);
    return foundBy(name.slice(0, LONGEST_NAME), ...around, note, words);
  };
  const found = (): readonly Found[] => searched.of(things, findBy);
  const placeOf = (id: string): number =>
    id.startsWith(`${kind}:`)
      ? searched.placeOf(things, id.slice(kind.length + 1), (thing) => describe(thing).id)
      : -1;
  const wordsOfVerbs = verbs.map(({ before, after = '', words = '' }) =>
    foldText(`${before} ${after} ${words}`)
      .split(/\s+/)
      .filter((word) => word !== '' && !JOINING.has(word)),
  );

  const toEntry = (thing: Thing): PaletteEntry => {
    const { id, name, note } = named(thing);
    const deed = opens(thing);
    return {
      id,
      group,
      label: `${around[0]}${name}${around[1]}`,
      name,
      ...(note !== undefined && { note }),
      ...('to' in deed && { to: deed.to }),
      Icon,
      run: runOf(deed, doer),
    };
  };

  const toDeed = (thing: Thing, verb: Verb<Thing>): PaletteEntry | undefined => {
    const deed = verb.does(thing);
    if (deed === undefined) return undefined;
    const { id, name, note } = named(thing);
    return {
      id: `${id}:${verb.key}`,
      thing: id,
      group: 'Do',
      label: `${verb.before} ${name}${verb.after === undefined ? '' : ` ${verb.after}`}`,
      name,
      ...(note !== undefined && { note }),
      ...('to' in deed && { to: deed.to }),
      Icon: verb.Icon,
      run: runOf(deed, doer),
    };
  };

  /** The things that fit, the best first, of those alike what was used last; as long as `take` wants more. */
  function best(typed: readonly string[], recent: readonly string[], take: (thing: Thing) => boolean): void {
    const used = new Set(recent.map(placeOf).filter((place) => place >= 0));
    const texts = typed.length === 0 ? undefined : found();
    const byScore: Thing[][] = [[], [], [], []];
    /** @returns whether it takes another one */
    const look = (place: number): boolean => {
      const thing = things[place];
      if (thing === undefined) return true;
      if (texts === undefined) return take(thing);
      const text = texts[place];
      const score = text === undefined ? 0 : fit(text, typed);
      if (score > 0) byScore[score]?.push(thing);
      return true;
    };
    for (const place of used) if (!look(place)) return;
    for (let place = 0; place < things.length; place += 1) if (!used.has(place) && !look(place)) return;
    for (let score = 3; score > 0; score -= 1)
      for (const thing of byScore[score] ?? []) if (!take(thing)) return;
  }

  return {
    find(typed, { recent, most }) {
      const entries: PaletteEntry[] = [];
      best(typed, recent, (thing) => entries.push(toEntry(thing)) < most);
      return entries;
    },
    act(typed, { recent, most }: FindOptions) {
      const entries: PaletteEntry[] = [];
      for (const [index, verb] of verbs.entries()) {
        const rest = restOf(typed, wordsOfVerbs[index] ?? []);
        if (rest === undefined) continue;
        let taken = 0;
        best(rest, recent, (thing) => {
          const deed = toDeed(thing, verb);
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
      const thing = things[placeOf(id)];
      return thing && toEntry(thing);
    },
    *prepare() {
      for (let from = 0; from < things.length; from += SLICE) {
        searched.prepare(things.slice(from, from + SLICE), findBy);
        yield;
      }
    },
  };
}
