import { ReplicaError } from '@cannery/ic/errors';
import type { LogLine } from '../../state/canister-log.ts';
import type { MessageContext } from '../../system-api/message-context.ts';
import type { LoadedCode } from './loaded-code.ts';
import { adoptChanges, changesOf, type MemoryChanges } from './memory-changes.ts';
import { announce, type Run, run, type Runner } from './run.ts';

/** A `ReplicaError` as it travels between threads. */
export interface ErrorData {
  readonly errorCode: string;
  readonly rejectCode: number;
  readonly message: string;
  readonly malformed: boolean;
}

export function errorData({ errorCode, rejectCode, message, malformed }: ReplicaError): ErrorData {
  return { errorCode, rejectCode, message, malformed };
}

export function errorOf({ errorCode, rejectCode, message, malformed }: ErrorData): ReplicaError {
  return new ReplicaError(errorCode, rejectCode, message, malformed);
}

/** What an execution is given: the same in both threads, so it does not travel. */
const INPUTS = [
  'entry',
  'subnet',
  'canister',
  'account',
  'version',
  'timeNanos',
  'instructionLimit',
  'caller',
  'callerInfo',
  'arg',
  'method',
  'rejectCode',
  'rejectMessage',
  'deadlineNanos',
  'refunded',
  'contextInstructions',
  'certificate',
  'maxReplyBytes',
  'outstandingTo',
] as const satisfies readonly (keyof MessageContext)[];
/** Staged by addition, not by value. */
const ADDED = ['balance', 'log'] as const satisfies readonly (keyof MessageContext)[];
const NOT_COPIED: ReadonlySet<string> = new Set([...INPUTS, ...ADDED]);

type Staged = Omit<MessageContext, (typeof INPUTS)[number] | (typeof ADDED)[number]>;

/** One execution of canister code as it went; survives a structured clone. */
export interface RecordedRun {
  readonly error: ErrorData | undefined;
  readonly instructions: bigint;
  /** Change of the balance, so that what others paid in meanwhile is not lost. */
  readonly balance: bigint;
  readonly staged: Staged;
  readonly log: { readonly lines: readonly LogLine[]; readonly dropped: bigint };
  /** Absent after an error. */
  readonly memory: MemoryChanges | undefined;
}

/** Runs canister code to its full limit and writes down what it did. */
export class RecordingRunner implements Runner {
  readonly runs: RecordedRun[] = [];
  readonly #slice: bigint | undefined;

  /** `slice`: weighted instructions an execution may use before it throws `SliceExceeded`; its own limit where not given. */
  constructor(slice?: bigint) {
    this.#slice = slice;
  }

  run(code: LoadedCode, context: MessageContext, enter: () => void): Run {
    const { balance } = context;
    const result = run(code, context, enter, this.#slice);
    this.runs.push({
      error: result.error && errorData(result.error),
      instructions: result.instructions,
      balance: context.balance - balance,
      staged: stagedIn(context),
      log: { lines: context.log.lines, dropped: context.log.dropped },
      memory: result.error ? undefined : changesOf(code),
    });
    return result;
  }
}

function stagedIn(context: MessageContext): Staged {
  const entries = Object.entries(context).filter(([key]) => !NOT_COPIED.has(key));
  return Object.fromEntries(entries) as unknown as Staged;
}

/** Brings about what was recorded, one execution after the other, without running any code. */
export class ReplayingRunner implements Runner {
  readonly #next: () => RecordedRun;

  /** `next` names the execution at hand. */
  constructor(next: () => RecordedRun) {
    this.#next = next;
  }

  run(code: LoadedCode, context: MessageContext): Run {
    const recorded = this.#next();
    Object.assign(context, recorded.staged);
    context.balance += recorded.balance;
    context.log.append(recorded.log);
    announce(context);
    const { instructions } = recorded;
    if (recorded.error) return { context, error: errorOf(recorded.error), instructions };
    code.instance.begin(context.instructionLimit);
    if (recorded.memory) adoptChanges(code, recorded.memory);
    return { context, error: undefined, instructions };
  }
}

/** Every execution of the message fails with this error: the thread that ran it was lost. */
export class FailingRunner implements Runner {
  readonly #error: ReplicaError;

  constructor(error: ReplicaError) {
    this.#error = error;
  }

  run(_code: LoadedCode, context: MessageContext): Run {
    return { context, error: this.#error, instructions: 0n };
  }
}
