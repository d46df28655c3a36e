import type { LucideIcon } from 'lucide-react';

/** A page of the console: the path of its route, and what fills it. */
export interface Destination {
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string>>;
  readonly hash?: string;
}

/** The parts of the palette, in their order. */
export const groupOrder = [
  'This canister',
  'This DApp',
  'Do',
  'Pages',
  'Canisters',
  'DApps',
  'Websites',
  'Repositories',
  'Registries',
  'Marketplace',
  'Actions',
  'Tabs',
  'Guide',
  'Demo',
] as const;

/** Something the command palette can do. */
export interface PaletteEntry {
  /** Stays the same from one opening to the next, so that what was used last can be told. */
  readonly id: string;
  readonly group: (typeof groupOrder)[number];
  readonly label: string;
  /** A name of somebody in the label, which may be anything: its direction of writing ends with it. */
  readonly name?: string;
  /** Small text behind the label, such as an id; searched too. */
  readonly note?: string;
  /** Words it is found by besides its label and note. */
  readonly words?: string;
  /** The id of the entry of the thing with which it does something. */
  readonly thing?: string;
  /** The page it leads to; absent for what does something else. */
  readonly to?: Destination;
  readonly Icon: LucideIcon;
  readonly run: () => void;
}

export interface PaletteGroup {
  readonly name: PaletteEntry['group'] | 'Recent';
  readonly entries: readonly PaletteEntry[];
}
