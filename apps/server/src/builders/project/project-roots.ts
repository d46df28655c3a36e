import { posix } from 'node:path';
import { type LikelyRoot, likeliest } from '../source/likely-roots.ts';
import { ENTRIES_LIMIT, SKIPPED } from '../source/project-files.ts';
import type { ProjectFiles } from '../tenant/project-files.ts';

/** Files that say of what canisters a project consists, the one that counts most first. */
const SETTINGS = ['dfx.json', 'icp.yaml', 'canister.json', 'mops.toml'];

/** Folders below with the settings of a project; none where there are too many files to look. */
export async function projectRoots(root: ProjectFiles): Promise<LikelyRoot[]> {
  const files = await root.list(SETTINGS, { within: '', skipped: SKIPPED, most: ENTRIES_LIMIT });
  const found = (files ?? [])
    .map(({ path }): LikelyRoot => ({ folder: posix.dirname(path), file: posix.basename(path) }))
    .filter(({ file }) => SETTINGS.includes(file))
    .toSorted((a, b) => SETTINGS.indexOf(a.file) - SETTINGS.indexOf(b.file));
  return likeliest(found);
}
