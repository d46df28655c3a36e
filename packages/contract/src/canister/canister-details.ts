import { z } from 'zod';
import { canisterSettings, settingsChange } from './canister-settings.ts';
import { endpoint } from '../endpoint.ts';

/** Cycles, bytes or counts as decimal text. */
const natural = z.string();

/** Everything the network says about a canister to its controller, as certified by the network. */
export const canisterDetails = z.object({
  id: z.string(),
  status: z.enum(['running', 'stopping', 'stopped']),
  /** The balance is below the freezing limit: calls and queries are refused until it is topped up. */
  frozen: z.boolean(),
  /** No code is installed. */
  empty: z.boolean(),
  cycles: natural,
  reserved_cycles: natural,
  /** Cycles the canister pays per day for what it keeps, whatever it does. */
  idle_cycles_burned_per_day: natural,
  /** Cycles below which the canister is frozen. */
  freezing_limit: natural,
  /** Days until the canister freezes if it does nothing; null when that never happens. */
  days_until_freezing: z.number().nullable(),
  module_hash: z.string().nullable(),
  /** Grows with every change of code, settings and state. */
  version: natural,
  /** Bytes, by what they hold; `total` is their sum. */
  memory: z.object({
    total: natural,
    wasm_memory: natural,
    stable_memory: natural,
    global_memory: natural,
    wasm_binary: natural,
    custom_sections: natural,
    canister_history: natural,
    wasm_chunk_store: natural,
    snapshots: natural,
    /** What the canister wrote, as far as the network keeps it. */
    log_memory_store: natural,
  }),
  query_stats: z.object({
    calls: natural,
    instructions: natural,
    request_bytes: natural,
    response_bytes: natural,
  }),
  settings: canisterSettings,
  /** Principal of the console: the controller that must stay, or the console can do nothing for the canister any more. */
  console_principal: z.string(),
});
export type CanisterDetails = z.infer<typeof canisterDetails>;

/** A line a canister printed, or the trap that ended a message. */
export const canisterLogRecord = z.object({
  /** Position in the canister's log; counts on over everything it ever wrote. */
  index: natural,
  /** ISO 8601, with milliseconds. */
  timestamp: z.string(),
  content: z.string(),
});
export type CanisterLogRecord = z.infer<typeof canisterLogRecord>;

export const canisterLogPage = z.object({
  /** Newest first. */
  records: z.array(canisterLogRecord),
  /** Pass as `before` for the page after this one; null at the end. */
  next: natural.nullable(),
});

/** What can happen to a canister; `outside` is a change the console found but did not make. */
export const canisterChangeKinds = [
  'created',
  'installed',
  'upgraded',
  'reinstalled',
  'settings',
  'renamed',
  'tagged',
  'started',
  'stopped',
  'topped_up',
  'topup_uncertain',
  'snapshot_taken',
  'snapshot_restored',
  'snapshot_deleted',
  'outside',
] as const;

export const canisterChange = z.object({
  id: z.string(),
  kind: z.enum(canisterChangeKinds),
  /** Who did it: a username, or null for a change made outside the console. */
  actor: z.string().nullable(),
  /** A short sentence of what changed, such as the settings with their old and new values. */
  detail: z.string().nullable(),
  created_at: z.string(),
});
export type CanisterChange = z.infer<typeof canisterChange>;

export const MAX_SNAPSHOTS = 10;

export const canisterSnapshot = z.object({
  /** Hex. */
  id: z.string(),
  taken_at: z.string(),
  /** Bytes. */
  total_size: natural,
});
export type CanisterSnapshot = z.infer<typeof canisterSnapshot>;

const idParams = z.object({ id: z.string().min(1) });
const canisterId = z.object({ canister_id: z.string().min(1) });
const snapshotBody = canisterId.extend({ snapshot_id: z.string().regex(/^([0-9a-f]{2}){1,64}$/) });

export const canisterDetailEndpoints = {
  details: endpoint({
    method: 'GET',
    path: '/canister/details/{id}',
    summary: 'Status, settings, memory and running costs of a canister, as the network certifies them now',
    signedIn: true,
    params: idParams,
    response: canisterDetails,
  }),
  updateSettings: endpoint({
    method: 'POST',
    path: '/canister/settings',
    summary: 'Changes settings of a canister; what is absent stays as it is',
    signedIn: true,
    again: 'same',
    body: canisterId.extend({
      settings: settingsChange,
      /** Needed to remove the console itself from the controllers. */
      give_up_control: z.boolean().default(false),
    }),
    response: canisterDetails,
  }),
  logs: endpoint({
    method: 'GET',
    path: '/canister/logs/{id}',
    summary: 'What a canister printed, kept by the console beyond what the network keeps; newest first',
    signedIn: true,
    params: idParams,
    query: z.object({
      /** Only records that hold this text, whatever its case. */
      search: z.string().max(200).optional(),
      before: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    response: canisterLogPage,
  }),
  history: endpoint({
    method: 'GET',
    path: '/canister/history/{id}',
    summary: 'Changes of a canister, newest first: by whom and what',
    signedIn: true,
    params: idParams,
    response: z.array(canisterChange),
  }),
  snapshots: endpoint({
    method: 'GET',
    path: '/canister/snapshots/{id}',
    summary: 'Snapshots of a canister on the network, newest first',
    signedIn: true,
    params: idParams,
    response: z.array(canisterSnapshot),
  }),
  takeSnapshot: endpoint({
    method: 'POST',
    path: '/canister/snapshot/take',
    summary: 'Takes a snapshot of a stopped canister, replacing another one if one is named',
    signedIn: true,
    body: canisterId.extend({ replace: snapshotBody.shape.snapshot_id.optional() }),
    response: canisterSnapshot,
  }),
  restoreSnapshot: endpoint({
    method: 'POST',
    path: '/canister/snapshot/restore',
    summary: 'Puts a stopped canister back to a snapshot: code and memory, not its settings or cycles',
    signedIn: true,
    body: snapshotBody,
    response: canisterDetails,
  }),
  deleteSnapshot: endpoint({
    method: 'POST',
    path: '/canister/snapshot/delete',
    summary: 'Deletes a snapshot',
    signedIn: true,
    body: snapshotBody,
    response: z.object({ message: z.string() }),
  }),
};
