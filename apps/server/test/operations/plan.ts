import { type Block, blocksOf } from './pages.ts';

/** Which block of a page: the n-th below its heading, from 0. */
interface Place {
  readonly page: string;
  readonly heading: string;
  readonly number?: number;
}

const install = 'install.md';
const backup = 'backup.md';

/** What the walk carries out. */
export const places = {
  packages: { page: install, heading: 'Install and upgrade' },
  tryIt: { page: install, heading: 'To try it' },
  install: { page: install, heading: 'To run it on a server' },
  start: { page: install, heading: 'To run it on a server', number: 1 },
  upgrade: { page: install, heading: 'Upgrade' },
  wayBack: { page: install, heading: 'Way back' },
  remove: { page: install, heading: 'Remove' },
  backup: { page: backup, heading: 'Back up' },
  check: { page: backup, heading: 'Back up', number: 1 },
  withKeys: { page: backup, heading: 'Keys' },
  restore: { page: backup, heading: 'Restore' },
  rotate: { page: 'secrets.md', heading: 'The key of secrets' },
} as const satisfies Record<string, Place>;

export type Step = keyof typeof places;

/** What it does not, and why. */
export const leftOut: readonly (Place & { readonly why: string })[] = [
  {
    page: backup,
    heading: 'Repositories in the bucket',
    why: 'it needs an S3 service: apps/server/test/backup carries it out',
  },
];

/** All pages that the walk follows. */
export const pages: readonly string[] = [...new Set(Object.values(places).map(({ page }) => page))];

/** @throws Error when the page has no such block */
export function blockAt({ page, heading, number = 0 }: Place): Block {
  const block = blocksOf(page).filter((other) => other.heading === heading)[number];
  if (block === undefined) throw new Error(`${page} has no block ${number} below '${heading}'.`);
  return block;
}
