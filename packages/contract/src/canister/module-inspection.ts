import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** Result of comparing an interface or a stable signature with the installed one. */
export const compatibility = z.discriminatedUnion('verdict', [
  z.object({ verdict: z.literal('compatible') }),
  /** Each reason is a sentence that names what was changed. */
  z.object({ verdict: z.literal('breaking'), reasons: z.array(z.string()).min(1) }),
  /** There is nothing to compare, or it cannot be read; the reason says which. */
  z.object({ verdict: z.literal('unknown'), reason: z.string() }),
]);
export type Compatibility = z.infer<typeof compatibility>;

/** What a module holds, and what installing it in a canister would mean. */
export const moduleInspection = z.object({
  /** SHA-256 of the bytes as uploaded, hex: what the network will show as module hash. */
  module_hash: z.string(),
  /** Bytes as uploaded, and unpacked. */
  size: z.number(),
  unpacked_size: z.number(),
  gzip: z.boolean(),
  methods: z.object({
    updates: z.array(z.string()),
    queries: z.array(z.string()),
    composite_queries: z.array(z.string()),
  }),
  /** Text of the Candid interface; null when the module does not carry it. */
  candid: z.string().nullable(),
  /** Candid text of a service whose init arguments are those of the module; null when it does not say. */
  init_args: z.string().nullable(),
  /** Names of the custom metadata sections. */
  metadata: z.array(z.string()),
  /** The module keeps its main memory across upgrades (Motoko's enhanced orthogonal persistence). */
  keeps_memory: z.boolean(),
  /** This very module is installed already. */
  already_installed: z.boolean(),
  /** Null for an empty canister. */
  upgrade: z.object({ candid: compatibility, stable_memory: compatibility }).nullable(),
});
export type ModuleInspection = z.infer<typeof moduleInspection>;

export const inspectionEndpoints = {
  inspect: endpoint({
    method: 'POST',
    path: '/canister/inspect',
    summary: 'Looks into an uploaded module and compares it with what the canister runs; changes nothing',
    signedIn: true,
    again: 'reads',
    body: z.object({ canister_id: z.string().min(1), identifier: z.string().min(1) }),
    response: moduleInspection,
  }),
};
