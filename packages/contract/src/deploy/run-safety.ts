import { z } from 'zod';

/**
 * Whether a run takes a snapshot of a canister before it upgrades it: it stops where none can be taken, it goes on without
 * one there, or it takes none.
 */
export const snapshotChoices = ['require', 'try', 'off'] as const;
export const snapshotChoice = z.enum(snapshotChoices);
export type SnapshotChoice = z.infer<typeof snapshotChoice>;

/** The choice that a deploy has; off for anything unknown, since a service without the setting takes none. */
export function snapshotChoiceOf(value: unknown): SnapshotChoice {
  return snapshotChoices.find((choice) => choice === value) ?? 'off';
}

/** Characters of a Candid text of a health call. */
export const HEALTH_TEXT_LIMIT = 20_000;
/** Seconds that a health call may take at most, and those that a new one has. */
export const HEALTH_DEADLINE = { most: 300, usual: 20 } as const;

/** A call that a run makes when everything is published; where it fails, what the run upgraded goes back. */
export const healthCall = z.object({
  /** Name in the project; empty for the only canister with code. */
  canister: z.string().max(100),
  method: z.string().min(1).max(200),
  /** Candid text, such as `("Ada", 5)`. */
  argument: z.string().max(HEALTH_TEXT_LIMIT),
  /** Candid text; empty where any answer will do. */
  expected: z.string().max(HEALTH_TEXT_LIMIT),
  /** Seconds. */
  deadline: z.number().int().min(1).max(HEALTH_DEADLINE.most),
});
export type HealthCall = z.infer<typeof healthCall>;
