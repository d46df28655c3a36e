import { z } from 'zod';
import { codeOrigin } from './code-origin.ts';
import { type Decimal, cutDecimals, decimalText, readDecimal } from '../texts/decimal-text.ts';
import { endpoint } from '../endpoint.ts';
import { canisterTag, MAX_CANISTER_TAGS } from './canister-tags.ts';
import {
  entityOf,
  idOf,
  outcome,
  outcomeOf,
  type ReadObject,
  rowsOf,
  truthyOutcome,
} from '../texts/reading.ts';

export const installModes = ['install', 'upgrade', 'reinstall'] as const;
export const installMode = z.enum(installModes);
export type InstallMode = z.infer<typeof installMode>;

/** The two statuses of the specification; the network also knows `stopping`, shown like stopped. */
export const canisterStatuses = ['running', 'stopped'] as const;

const moduleHash = z.union([z.string(), z.array(z.string())]);

export const canister = z.object({
  id: z.string(),
  name: z.string(),
  /** What its owner sorts it by, in the order of the alphabet. */
  tags: z.array(z.string()),
  /** A JSON number is exact up to 9,007 T; `cycles_exact` always is. Null while the network has not been asked yet. */
  cycles: z.number().nullable(),
  cycles_exact: z.string().nullable(),
  status: z.string(),
  /** Hex without prefix; null or empty means no code installed. */
  module_hash: moduleHash.nullable(),
  /** Days until it freezes if it does nothing, 0 for one that is frozen; null when that never happens or is not known yet. */
  days_until_freezing: z.number().nullable(),
  /** Where its code came from. */
  origin: codeOrigin.nullable(),
  /** Whether it is known to answer HTTP, so that it has an address that browsers can open. */
  serves_http: z.boolean(),
  /** Address of a picture of the website it serves; null when there is none. */
  picture: z.string().nullable(),
  /** The deploy that fills it, with its repository as deploys have it. */
  deploy: z
    .object({
      id: z.string(),
      name: z.string(),
      github_repo_owner: z.string(),
      repo_name: z.string(),
      /** Address of the repository's page at another git host; null for one of the provider. */
      url: z.string().nullable(),
      repository_deleted: z.boolean(),
      branch: z.string(),
    })
    .nullable(),
  created_at: z.string(),
  updated_at: z.string().nullable(),
  /** When the network told status and cycles, while it does not answer; null while it does. */
  as_of: z.string().nullable(),
});
/** A canister as the service answers it, and as the console reads it. */
export type CanisterAnswer = z.infer<typeof canister>;
export type Canister = ReadObject<CanisterAnswer>;

export const canisterLog = z.object({
  id: z.string(),
  cycles: z.number().nullable(),
  module_hash: moduleHash.nullable(),
  status: z.string(),
  updated_at: z.string(),
});
export type CanisterLog = ReadObject<z.infer<typeof canisterLog>>;

/** Bounds of a top-up in T, and the step the input offers (specification point 5). */
export const topUpRange = { min: 0.01, max: 10, inputStep: 0.1, inputMin: 0.1 } as const;

/**
 * Cuts an amount in T to two decimals without rounding up (1.239 gives 1.23).
 * Works on the decimal text, since 1.15 * 100 is not 115 in binary.
 */
export function trimAmount(amount: number): number {
  // From 1e21 on toFixed writes an exponent; nothing near that is an amount.
  const match = Math.abs(amount) < 1e15 ? /^(-?\d+)(?:\.(\d{0,2}))?/.exec(amount.toFixed(10)) : null;
  return match ? Number(`${match[1]}.${match[2] ?? '0'}`) : Number.NaN;
}

/** Whether an amount in T may be topped up, after trimming. */
export function isTopUpAmount(amount: number): boolean {
  return (
    Number.isFinite(amount) && trimAmount(amount) >= topUpRange.min && trimAmount(amount) <= topUpRange.max
  );
}

/** Cycles of an amount in T with at most two decimals. */
export function amountToCycles(amount: number): bigint {
  return BigInt(Math.round(trimAmount(amount) * 100)) * 10_000_000_000n;
}

const canisterId = z.object({ canister_id: z.string().min(1) });

const idParams = z.object({ id: z.string().min(1) });

/** The name a canister gets when the call carries none or a blank one. */
export const DEFAULT_CANISTER_NAME = 'Untitled canister';

export const createCanisterForm = z.object({
  name: z.string().refine((name) => name.trim() !== '', { message: 'Name is required' }),
});

/** A new name of a canister: by the rules of a creation. */
const canisterName = createCanisterForm.shape.name;

export const topUpForm = z.object({
  amount: z.number({ error: 'Invalid Amount' }).refine(isTopUpAmount, { message: 'Invalid Amount' }),
});

/** What was typed as the amount of a top-up. */
export type TopUpReading =
  | {
      /** In T, as the call takes it, and as text. */
      readonly amount: number;
      readonly text: string;
      readonly cycles: bigint;
    }
  | {
      readonly error: string;
      /** Why the text is no number; absent for one that is out of range. */
      readonly problem?: string;
    };

/** The amount of a top-up as it was typed, cut to two decimals. */
export function readTopUp(typed: string): TopUpReading {
  const reading = readDecimal(typed);
  const decimal: Decimal | undefined = 'decimal' in reading ? cutDecimals(reading.decimal, 2) : undefined;
  const text = decimal === undefined ? '' : decimalText(decimal);
  const checked = topUpForm.safeParse({ amount: decimal === undefined ? Number.NaN : Number(text) });
  if (!checked.success) {
    return {
      error: checked.error.issues[0]?.message ?? 'Invalid Amount',
      ...('problem' in reading && { problem: reading.problem }),
    };
  }
  const { amount } = checked.data;
  return { amount, text, cycles: amountToCycles(amount) };
}

const deletion = z.object({
  message: z.string(),
  /** False for a canister that the console does not control any more: it has only left the list. */
  deleted: z.boolean(),
  /** Cycles that came back to the account, as decimal text. */
  refunded: z.string(),
});

export const canisterEndpoints = {
  create: endpoint({
    method: 'POST',
    path: '/canister/create',
    summary: 'Creates a canister, paid from the account balance',
    signedIn: true,
    body: z.object({
      name: z.string().optional(),
      /** Id of a registry whose newest module is installed in the new canister. */
      registry: z.string().optional(),
    }),
    idempotent: true,
    response: z.object({
      canister_id: z.object({ canister_id: z.string() }),
      data: z.object({ canister_id: z.string() }),
    }),
    reading: idOf('canister_id'),
  }),
  list: endpoint({
    method: 'GET',
    path: '/canister/list/',
    summary: 'Canisters of the user, newest first',
    signedIn: true,
    response: z.array(canister),
    reading: rowsOf(canister),
  }),
  status: endpoint({
    method: 'GET',
    path: '/canister/status/{id}',
    summary: 'One canister; with real_time=true as the network knows it now',
    signedIn: true,
    params: idParams,
    query: z.object({ real_time: z.enum(['true', 'false']).optional() }),
    response: canister,
    reading: entityOf(canister),
  }),
  start: endpoint({
    method: 'POST',
    path: '/canister/start',
    summary: 'Starts a canister',
    signedIn: true,
    again: 'same',
    body: canisterId,
    response: canister,
    reading: outcome,
  }),
  stop: endpoint({
    method: 'POST',
    path: '/canister/stop',
    summary: 'Stops a canister; waits for its open calls',
    signedIn: true,
    again: 'same',
    body: canisterId,
    response: canister,
    reading: outcome,
  }),
  rename: endpoint({
    method: 'POST',
    path: '/canister/rename',
    summary: 'Gives a canister another name; blanks at its ends are left out',
    signedIn: true,
    again: 'same',
    body: canisterId.extend({ name: canisterName }),
    response: canister,
  }),
  tag: endpoint({
    method: 'POST',
    path: '/canister/tags',
    summary: `Adds and removes tags of a canister, which has ${MAX_CANISTER_TAGS} at most; the others stay`,
    signedIn: true,
    again: 'same',
    body: canisterId.extend({
      add_tags: z.array(canisterTag).max(MAX_CANISTER_TAGS).default([]),
      remove_tags: z.array(canisterTag).max(MAX_CANISTER_TAGS).default([]),
    }),
    response: canister,
  }),
  topUp: endpoint({
    method: 'POST',
    path: '/canister/topup',
    summary: 'Moves cycles from the account to a canister; amount in T, cut to two decimals',
    signedIn: true,
    body: canisterId.extend({ amount: z.number() }),
    idempotent: true,
    response: z.object({ message: z.string(), canister }),
    reading: outcomeOf(z.object({ error: z.unknown() })),
  }),
  delete: endpoint({
    method: 'POST',
    path: '/canister/delete',
    summary: 'Deletes a stopped canister; where `delete_returns_cycles`, its cycles come back to the account',
    signedIn: true,
    body: canisterId,
    response: deletion,
    reading: outcomeOf(deletion),
  }),
  install: endpoint({
    method: 'POST',
    path: '/canister/install',
    summary: 'Installs an uploaded WebAssembly module',
    signedIn: true,
    idempotent: true,
    namesOrigin: true,
    body: canisterId.extend({
      identifier: z.string().min(1),
      mode: installMode.default('install'),
      /** Candid text of the install arguments, such as `("Ada", 5)`; `()` when absent. */
      argument: z.string().optional(),
      /** Candid-encoded install arguments in hex, instead of `argument`. */
      argument_hex: z
        .string()
        .regex(/^([0-9a-fA-F]{2})*$/)
        .optional(),
      /** What an upgrade does with main memory; chosen by the module where absent. */
      wasm_memory_persistence: z.enum(['keep', 'replace']).optional(),
      /** Upgrades without running the installed code's pre_upgrade: loses what that would have saved. */
      skip_pre_upgrade: z.boolean().default(false),
    }),
    response: z.object({ data: canister }),
    reading: truthyOutcome,
  }),
  statusLogs: endpoint({
    method: 'GET',
    path: '/statuslogs/{id}',
    summary:
      'What the console has recorded of a canister: cycles, code and status after each action, newest first',
    signedIn: true,
    params: idParams,
    response: z.array(canisterLog),
    reading: rowsOf(canisterLog),
  }),
};
