import type { Canister, InstallMode } from '@cannery/contract';

/** Any status but 'running' displays like stopped. */
export function isRunning({ status }: Pick<Canister, 'status'>): boolean {
  return status === 'running';
}

/** The module hashes of a canister, each with prefix 0x; none when no code is installed. */
export function moduleHashes(hash: Canister['module_hash'] | undefined): string[] {
  const hashes = typeof hash === 'string' ? [hash] : (hash ?? []);
  return hashes
    .filter((entry) => entry !== '')
    .map((entry) => (entry.startsWith('0x') ? entry : `0x${entry}`));
}

/** The mode an install dialog opens with: 'install' for an empty canister, else 'upgrade'. */
export function defaultInstallMode(canister: Pick<Canister, 'module_hash'>): InstallMode {
  return moduleHashes(canister.module_hash).length === 0 ? 'install' : 'upgrade';
}

/** Where an install stands. */
export type InstallProgress = 'idle' | 'installing' | 'closed';

export type InstallEvent = 'opened' | 'confirmed' | 'failed' | 'succeeded';

/** idle -> installing -> closed; a failure goes back to idle with the dialog open. */
export function installProgress(current: InstallProgress, event: InstallEvent): InstallProgress {
  if (event === 'opened') return 'idle';
  if (event === 'confirmed') return current === 'idle' ? 'installing' : current;
  if (current !== 'installing') return current;
  return event === 'succeeded' ? 'closed' : 'idle';
}

/** The list with a new canister at its top; one that a refresh has already brought is not doubled. */
export function withCanister(list: readonly Canister[] | undefined, added: Canister): Canister[] {
  return [added, ...(list ?? []).filter(({ id }) => id !== added.id)];
}

/** The list without a canister. */
export function withoutCanister(list: readonly Canister[] | undefined, id: string): Canister[] {
  return (list ?? []).filter((canister) => canister.id !== id);
}

/** The list with a canister replaced by what a call answered. */
export function replaceCanister(list: readonly Canister[] | undefined, changed: Canister): Canister[] {
  return (list ?? []).map((canister) => (canister.id === changed.id ? changed : canister));
}

/** The list reduced to canisters whose name or id holds the text, ignoring case. */
export function searchCanisters(list: readonly Canister[], text: string): readonly Canister[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return list;
  return list.filter(({ id, name }) => id.includes(wanted) || (name ?? '').toLowerCase().includes(wanted));
}

/** Cards 1 and 7 share a colour. */
const EDGE_COLOURS = 6;

/** The edge colour of the card at a zero-based place: 1 to 6, over and over. */
export function edgeColour(index: number): number {
  return (index % EDGE_COLOURS) + 1;
}

/** How many canisters run, and how many display like stopped. */
export function countRunning(list: readonly Canister[]): {
  readonly running: number;
  readonly others: number;
} {
  const running = list.filter(isRunning).length;
  return { running, others: list.length - running };
}
