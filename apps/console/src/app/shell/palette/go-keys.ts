import { paths, quickStart } from '../../../config/paths.ts';
import type { Destination } from './entries.ts';

interface GoKey {
  readonly key: string;
  /** The id of the palette's entry that leads there as well. */
  readonly entry: string;
  /** What is there, for people. */
  readonly name: string;
  readonly to: Destination;
}

/** The key that begins a way; the next one says where to. */
export const GO = 'g';

/** Pages that two keys lead to. */
export const goKeys: readonly GoKey[] = [
  { key: 'd', entry: 'page:dashboard', name: 'Dashboard', to: { to: paths.dashboard } },
  { key: 'c', entry: 'page:canisters', name: 'Canisters', to: { to: paths.canisters } },
  { key: 'a', entry: 'page:dapps', name: 'DApps', to: { to: paths.dapps } },
  {
    key: 'n',
    entry: 'page:new-app',
    name: 'New app',
    to: { to: paths.deployChoice, search: { type: 'STATIC_SITE' } },
  },
  { key: 'r', entry: 'page:registries', name: 'Registries', to: { to: paths.registries } },
  { key: 'm', entry: 'page:marketplace', name: 'Marketplace', to: { to: paths.marketplace } },
  { key: 'p', entry: 'page:account', name: 'Account', to: { to: paths.account } },
  {
    key: 'h',
    entry: 'page:guide',
    name: 'Guide',
    to: { to: paths.documentationPage, params: quickStart },
  },
];

/** The keys of an entry of the palette, as people read them; undefined where it has none. */
export function keysOf(entry: string): readonly string[] | undefined {
  const found = goKeys.find((one) => one.entry === entry);
  return found && [GO.toUpperCase(), found.key.toUpperCase()];
}

/** The second key counts this long after the first, in milliseconds: two keys of somebody slow, and no word. */
const TOGETHER_MS = 1_500;

/** Puts keys that come one after the other together. */
export class GoSequence {
  #begunAt: number | undefined;

  /**
   * @param now milliseconds of any clock that only goes forward
   * @returns where the keys lead; undefined while they lead nowhere
   */
  press(key: string, now: number): Destination | undefined {
    const isSecond = this.#begunAt !== undefined && now - this.#begunAt <= TOGETHER_MS;
    this.#begunAt = undefined;
    if (isSecond) {
      const found = goKeys.find((one) => one.key === key);
      if (found !== undefined) return found.to;
    }
    if (key === GO) this.#begunAt = now;
    return undefined;
  }

  /** Another key, or a key elsewhere, ends a way that was begun. */
  end(): void {
    this.#begunAt = undefined;
  }
}
