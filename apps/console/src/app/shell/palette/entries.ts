import type { LucideIcon } from 'lucide-react';

/** Something the command palette can do. */
export interface PaletteEntry {
  /** Stays the same from one opening to the next, so that what was used last can be told. */
  readonly id: string;
  readonly group:
    | 'This canister'
    | 'This DApp'
    | 'Pages'
    | 'Canisters'
    | 'DApps'
    | 'Websites'
    | 'Registries'
    | 'Marketplace'
    | 'Actions';
  readonly label: string;
  /** Small text behind the label, such as an id; searched too. */
  readonly note?: string;
  /** Words it is found by besides its label and note. */
  readonly words?: string;
  readonly Icon: LucideIcon;
  readonly run: () => void;
}

export interface PaletteGroup {
  readonly name: PaletteEntry['group'] | 'Recent';
  readonly entries: readonly PaletteEntry[];
}

const groupOrder = [
  'This canister',
  'This DApp',
  'Pages',
  'Canisters',
  'DApps',
  'Websites',
  'Registries',
  'Marketplace',
  'Actions',
] as const;

/** Entries on show of the groups that grow with what the user owns; the rest is found by typing more. */
const shown: Readonly<Record<PaletteEntry['group'], number>> = {
  'This canister': Number.POSITIVE_INFINITY,
  'This DApp': Number.POSITIVE_INFINITY,
  Pages: Number.POSITIVE_INFINITY,
  Canisters: 6,
  DApps: 6,
  Websites: 6,
  Registries: 6,
  Marketplace: 6,
  Actions: Number.POSITIVE_INFINITY,
};
export const RECENT_SIZE = 4;

/** What an entry is found by in lower case; made once an entry, since every key searches thousands of them. */
const searched = new WeakMap<PaletteEntry, { readonly label: string; readonly all: string }>();

function searchedOf(entry: PaletteEntry): { readonly label: string; readonly all: string } {
  const known = searched.get(entry);
  if (known !== undefined) return known;
  const label = entry.label.toLowerCase();
  const made = { label, all: `${label} ${entry.note ?? ''} ${entry.words ?? ''}`.toLowerCase() };
  searched.set(entry, made);
  return made;
}

/** How well an entry fits what was typed: 0 not at all, more is better. */
function fit(entry: PaletteEntry, typed: readonly string[]): number {
  const { label, all } = searchedOf(entry);
  if (!typed.every((word) => all.includes(word))) return 0;
  const [first = ''] = typed;
  if (label.startsWith(first)) return 3;
  return label.includes(first) ? 2 : 1;
}

/**
 * What the palette lists: what was used last first while nothing is typed, else what fits, the best of each group first, and of
 * what fits alike what was used last.
 * @param open the id of the entry of what is open, to which nobody needs the way
 */
export function paletteGroups(
  entries: readonly PaletteEntry[],
  text: string,
  recent: readonly string[],
  open?: string,
): PaletteGroup[] {
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean);
  const last =
    typed.length > 0
      ? []
      : recent
          .filter((id) => id !== open)
          .flatMap((id) => entries.find((entry) => entry.id === id) ?? [])
          .slice(0, RECENT_SIZE);
  const age = ({ id }: PaletteEntry): number => (recent.includes(id) ? recent.indexOf(id) : recent.length);
  const fitting = entries
    .map((entry) => ({ entry, score: typed.length === 0 ? 1 : fit(entry, typed) }))
    .filter(({ entry, score }) => score > 0 && !last.includes(entry))
    .sort((a, b) => b.score - a.score || age(a.entry) - age(b.entry));
  const groups: PaletteGroup[] = groupOrder.map((name) => ({
    name,
    entries: fitting
      .filter(({ entry }) => entry.group === name)
      .slice(0, shown[name])
      .map(({ entry }) => entry),
  }));
  return [{ name: 'Recent' as const, entries: last }, ...groups].filter((group) => group.entries.length > 0);
}
