import type { CanisterDetails } from '@cannery/contract';

type Memory = CanisterDetails['memory'];

interface MemoryKind {
  readonly key: Exclude<keyof Memory, 'total'>;
  readonly label: string;
  /** A colour of the page; a kind keeps its own, so that a refresh does not swap meanings. */
  readonly colour: string;
}

const kinds: readonly MemoryKind[] = [
  { key: 'wasm_memory', label: 'Main memory', colour: 'var(--edge-1)' },
  { key: 'stable_memory', label: 'Stable memory', colour: 'var(--edge-3)' },
  { key: 'wasm_binary', label: 'Code', colour: 'var(--edge-4)' },
  { key: 'snapshots', label: 'Snapshots', colour: 'var(--edge-5)' },
  { key: 'wasm_chunk_store', label: 'Chunk store', colour: 'var(--edge-2)' },
  { key: 'canister_history', label: 'Change history', colour: 'var(--edge-6)' },
  { key: 'log_memory_store', label: 'Logs', colour: 'var(--ok)' },
  { key: 'custom_sections', label: 'Metadata', colour: 'var(--control)' },
  { key: 'global_memory', label: 'Globals', colour: 'var(--muted)' },
];

export interface MemoryPart {
  readonly key: string;
  readonly label: string;
  readonly colour: string;
  readonly bytes: bigint;
  /** Share of the total in percent. */
  readonly share: number;
}

/** What a canister's memory holds, in a fixed order, without what is empty. */
export function memoryParts(memory: Memory): MemoryPart[] {
  const total = BigInt(memory.total);
  return kinds.flatMap(({ key, label, colour }) => {
    const bytes = BigInt(memory[key]);
    if (bytes === 0n) return [];
    return { key, label, colour, bytes, share: total === 0n ? 0 : Number((bytes * 10_000n) / total) / 100 };
  });
}
