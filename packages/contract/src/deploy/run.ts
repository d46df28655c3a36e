import { z } from 'zod';
import type { ReadObject } from '../texts/reading.ts';
import { leftOut, siteWarning } from './run-outcome.ts';

/** How a deploy runs its course; the only place that knows which move is legal. */
export const deployStatuses = ['SCHEDULED', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export type DeployStatus = (typeof deployStatuses)[number];

const moves: Record<DeployStatus, readonly DeployStatus[]> = {
  SCHEDULED: ['RUNNING', 'FAILED'],
  // A worker that takes over after a crash puts the instance back in line.
  RUNNING: ['COMPLETED', 'FAILED', 'SCHEDULED'],
  COMPLETED: [],
  FAILED: [],
};

export function isDeployMove(from: DeployStatus, to: DeployStatus): boolean {
  return moves[from].includes(to);
}

/** Whether an instance is over and polling it may end. */
export function isFinished(status: string | null): boolean {
  return status === 'COMPLETED' || status === 'FAILED';
}

/** The phases of a run, in their order. A phase that a run does not need is left out of it. */
export const runPhases = ['checkout', 'packages', 'build', 'publish'] as const;
export type RunPhase = (typeof runPhases)[number];

/**
 * Lines of a run's log, as the event `lines` of its stream carries them. The id of the event is the number of its last
 * line: a reader that comes back names it in the header `Last-Event-ID` and gets what follows.
 */
export const logLinesEvent = z.object({
  /** Number of the first of these lines, from 1. */
  first: z.number(),
  /** One or more lines, without the line break at the end. */
  text: z.string(),
  /** When the first of them was printed, in milliseconds since 1970; null in logs of earlier versions. */
  at: z.number().nullable(),
  /** Milliseconds from that moment to each of the lines. */
  after: z.array(z.number()),
  /** The phase they were printed in. */
  phase: z.string().nullable(),
});
export type LogLinesEvent = z.infer<typeof logLinesEvent>;

/** The event `end` of a log's stream: the run is over, and every line has been sent. */
export const logEndEvent = z.object({
  status: z.string(),
  /** What the run leaves out of the project; absent for nothing. */
  left_out: leftOut.optional(),
});
export type LogEndEvent = z.infer<typeof logEndEvent>;

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

/** Why a run waits: for runs of others and of this user, for those of this user alone, or for the run before it of its deploy. */
export const waitReasons = ['line', 'user', 'deploy'] as const;

/** Where a run that has not begun stands. */
export const waiting = z.object({
  reason: z.enum(waitReasons),
  /** How many runs begin, or end, before it: of its kind, those that build or those that publish again. */
  ahead: z.number(),
});

/** What a canister of a run was filled with. */
export const runArtifact = z.object({
  /** The canister's name in the project. */
  name: z.string(),
  /** 'site' or 'module'. */
  kind: z.string(),
  /** SHA-256, hex: of the module, or of all files of the website. */
  hash: z.string(),
  /** Bytes. */
  size: z.number(),
});

export const deployInstance = z.object({
  id: z.string(),
  status: z.string(),
  deploy_id: z.string(),
  trigger_by: z.string(),
  commit_id: z.string().nullable(),
  /** The whole id of the commit; absent from services that do not tell. */
  commit_sha: z.string().nullable().optional(),
  commit_message: z.string().nullable(),
  /** Name of the author of the commit. */
  commit_author: z.string().nullable(),
  /** The tag whose commit it builds; null for the newest commit of the branch. */
  tag: z.string().nullable(),
  /** Seconds; null until the run is over. */
  duration: z.number().nullable(),
  logs: z.string().nullable(),
  created_at: z.string(),
  /** Null for a run that has begun. */
  waiting: waiting.nullable(),
  /** The run whose result it publishes again; null for a run that builds. */
  rollback_of: z.string().nullable(),
  /** Names in the project of the canisters that it is limited to; null for the whole project. */
  chosen_canisters: z.array(z.string()).nullable(),
  /** What it has published; null when nothing is kept to roll back to. */
  artifacts: z.array(runArtifact).nullable(),
  /** Whether it was refused for its interface and can still be published by `publish`. */
  awaits_approval: z.boolean(),
  /** What it leaves out of the project; null for nothing. */
  left_out: leftOut.nullable(),
  /** What the check of its websites found; null in lists. */
  warnings: z.array(siteWarning).nullable(),
});
export type DeployInstanceAnswer = z.infer<typeof deployInstance>;
export type DeployInstance = ReadObject<DeployInstanceAnswer>;
