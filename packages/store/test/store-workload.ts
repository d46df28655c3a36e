import { type Batch, PAGE_BYTES } from '../src/files/batch.ts';
import type { DurableStore } from '../src/durable-store.ts';

/** A small reproducible generator, so that the tests know every commit from its number alone. */
function random(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const SPACES = ['a/heap', 'a/stable', 'b/heap'];
const SPACE_PAGES = 64;

/** The batch of commit `number`: keys, values of all sizes, pages, growing, shrinking and dropped spaces. */
export function batchOf(number: number): Batch {
  const pick = random(number);
  const space = SPACES[pick(SPACES.length)] ?? '';
  const page = (): Uint8Array => new Uint8Array(PAGE_BYTES).fill(1 + (number % 255));
  const indices = new Set(Array.from({ length: pick(8) }, () => pick(SPACE_PAGES)));
  return {
    dropSpaces: number % 37 === 0 ? [space] : [],
    sizes: number % 5 === 0 ? [{ space, pages: pick(SPACE_PAGES) }] : [],
    pages: [...indices].map((index) => ({ space, index, bytes: page() })),
    deletes: number % 3 === 0 ? [`key/${pick(20)}`] : [],
    puts: [
      ['last', new TextEncoder().encode(String(number))],
      [`key/${pick(20)}`, new Uint8Array(pick(3_000)).fill(number % 256)],
    ],
  };
}

export interface Content {
  readonly keys: ReadonlyMap<string, string>;
  readonly spaces: ReadonlyMap<
    string,
    { readonly size: number; readonly pages: ReadonlyMap<number, string> }
  >;
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** What a store must hold after the commits 1 to `last`, worked out without a store. */
export function contentAfter(last: number): Content {
  const keys = new Map<string, string>();
  const spaces = new Map<string, { size: number; pages: Map<number, string> }>();
  const ensure = (name: string): { size: number; pages: Map<number, string> } => {
    const space = spaces.get(name) ?? { size: 0, pages: new Map() };
    spaces.set(name, space);
    return space;
  };
  for (let number = 1; number <= last; number++) {
    const batch = batchOf(number);
    for (const name of batch.dropSpaces) spaces.delete(name);
    for (const { space: name, pages } of batch.sizes) {
      const space = ensure(name);
      space.size = pages;
      for (const index of space.pages.keys()) if (index >= pages) space.pages.delete(index);
    }
    for (const { space: name, index, bytes } of batch.pages) {
      const space = ensure(name);
      space.size = Math.max(space.size, index + 1);
      space.pages.set(index, text(bytes));
    }
    for (const key of batch.deletes) keys.delete(key);
    for (const [key, value] of batch.puts) keys.set(key, text(value));
  }
  for (const name of SPACES) ensure(name);
  return { keys, spaces };
}

/** What a store does hold. */
export function contentOf(store: DurableStore): Content {
  const keys = new Map([...store.keys('')].map((key) => [key, text(store.get(key) ?? new Uint8Array(0))]));
  const spaces = new Map(
    SPACES.map((name) => {
      const pages = new Map<number, string>();
      store.readSpace(name, (index, bytes) => pages.set(index, text(bytes)));
      return [name, { size: store.spaceSize(name), pages }];
    }),
  );
  return { keys, spaces };
}
