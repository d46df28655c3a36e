import { type ReplicaError, replicaErrors } from '@cannery/ic/errors';
import type { Query, QueryAnswer } from '../../execution/query.ts';
import { errorOf } from '../../execution/run/recorded-run.ts';
import { rejectionOutcome } from '../../execution/respond.ts';
import type { IngressMessage } from '../../messages.ts';
import { SlowMethodHistory, habitOf } from '../../scheduler/slow-method-history.ts';
import type { HeavyMessage, HeavyOutcome, HeavyWork } from '../../scheduler/heavy-work.ts';
import type { SlicedEnvironment } from '../../scheduler/scheduler.ts';
import { memoryIdentity } from '../../state/canister.ts';
import { type IdKey, idKey } from '../../state/canister-id.ts';
import { StoreDamagedError } from '@cannery/store/files/errors';
import {
  type HeavyJob,
  type HeavyResult,
  imageOf,
  type ReadAnswer,
  type ReadRequest,
} from './heavy-protocol.ts';
import { HeavyLane } from './heavy-lane.ts';
import type { HeavySettings } from './heavy-settings.ts';
import { HeavyWorker, type HeavyWorkerOptions, type Loss } from './heavy-worker.ts';
import type { ReadView, ViewedStore } from './read-view.ts';

/** Queries and inspections that may be under way in heavy workers or wait for them, in all and for one canister. */
const MOST_QUESTIONS = 500;
const MOST_QUESTIONS_OF_ONE = 50;
/** How often a query is begun whose canister keeps changing in ways that cannot be hidden from it. */
const ATTEMPTS = 3;
/** Threads of the brief lane come before those of the others, and the engine thread before all of them. */
const BRIEF_NICENESS = 1;
const LONG_NICENESS = 5;
/** Stands for a method name in what is remembered of inspections. */
const INSPECTION = '';

/** What a job asks without changing anything. */
type Question =
  | { readonly type: 'query'; readonly query: Query }
  | { readonly type: 'inspect'; readonly message: IngressMessage };

export interface HeavyPoolParts {
  readonly env: SlicedEnvironment;
  readonly store: ViewedStore;
  readonly settings: HeavySettings;
  readonly worker: Pick<HeavyWorkerOptions, 'stackMb' | 'print'> & {
    readonly configuration: Omit<HeavyWorkerOptions['configuration'], 'niceness'>;
  };
  /** Bytes of heap and stable memory all threads may hold. */
  readonly memoryBytes: number;
  /** Hears of errors of this program. */
  readonly onFailure: (error: unknown) => void;
}

/** A line of jobs, each of which may use a number of weighted instructions. */
interface Level {
  readonly lane: HeavyLane;
  /** As much as the job's own limit allows where not given. */
  readonly slice: bigint | undefined;
  /** What had to go on from here lately: it begins in the next level. */
  readonly overflows: SlowMethodHistory;
}

/** The answer to a query, and the weighted instructions of all queries that it came to. */
interface HeavyAnswer extends QueryAnswer {
  readonly instructions: bigint;
}

/**
 * The threads for what needs longer than a slice. All of it begins in the brief lane; what overflows a lane begins again
 * in the next one, so that an installation or a query of a second never waits behind a loop of ten. The last lanes of
 * messages and of queries are apart.
 */
export class HeavyPool implements HeavyWork {
  readonly #parts: HeavyPoolParts;
  readonly #lanes: readonly HeavyLane[];
  readonly #messages: readonly Level[];
  readonly #queries: readonly Level[];
  /** Queries and inspections that are not answered yet, by canister. */
  readonly #questions = new Map<IdKey, number>();
  #asked = 0;
  #queryInstructions = 0n;
  #closed = false;

  constructor(parts: HeavyPoolParts) {
    this.#parts = parts;
    const { laneInstructions, idleMs } = parts.settings;
    const { onFailure } = parts;
    const lane = (niceness: number): HeavyLane =>
      new HeavyLane({ size: 1, make: () => this.#makeWorker(niceness), idleMs, onFailure });
    const level = (each: HeavyLane, slice: bigint | undefined): Level => ({
      lane: each,
      slice,
      overflows: new SlowMethodHistory(),
    });
    const brief = lane(BRIEF_NICENESS);
    const longer = laneInstructions.slice(1).map((slice) => level(lane(LONG_NICENESS), slice));
    const [first] = laneInstructions;
    const isBounded = first !== undefined;
    this.#messages = [
      ...(isBounded ? [level(brief, first)] : []),
      ...longer,
      level(lane(LONG_NICENESS), undefined),
    ];
    this.#queries = [...(isBounded ? [level(brief, first)] : []), level(lane(LONG_NICENESS), undefined)];
    this.#lanes = [...new Set([...this.#messages, ...this.#queries].map((each) => each.lane))];
  }

  /** Bytes of heap and stable memory the workers hold, or may come to hold in what they are doing. */
  get residentBytes(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.residentBytes, 0);
  }

  /** Weighted instructions of queries that were answered by the workers. */
  get queryInstructions(): bigint {
    return this.#queryInstructions;
  }

  submit(message: HeavyMessage, done: (outcome: HeavyOutcome) => boolean): void {
    this.#begin(message, done, startOf(this.#messages, message.canister.key, habitOf(message.message)));
  }

  /** Runs a query to its full limit; `undefined` when it needs its certificate and the one at hand does not fit. */
  async query(query: Query): Promise<HeavyAnswer | undefined> {
    const key = idKey(query.canisterId);
    if (this.#isCrowded(key)) return refused(replicaErrors.tooManyQueries(query.canisterId));
    const result = await this.#ask(key, query.method, () => ({ type: 'query', query }));
    if (result.type !== 'query') return refused(lostQuery(query.canisterId, result));
    let instructions = 0n;
    for (const [canister, added] of result.statistics) {
      instructions += added.instructions;
      const total = this.#parts.env.state.canisters.get(canister)?.record.queryStatistics;
      if (!total) continue;
      total.calls += added.calls;
      total.instructions += added.instructions;
      this.#queryInstructions += added.instructions;
      total.requestBytes += added.requestBytes;
      total.responseBytes += added.responseBytes;
    }
    return result.answer && { ...result.answer, instructions };
  }

  /** Asks the canister whether it takes the message; returns why it does not. */
  async inspect(message: IngressMessage): Promise<ReplicaError | undefined> {
    const key = idKey(message.canisterId);
    if (this.#isCrowded(key)) return replicaErrors.tooManyQueries(message.canisterId);
    const result = await this.#ask(key, INSPECTION, () => ({ type: 'inspect', message }));
    if (result.type !== 'inspect') return lostQuery(message.canisterId, result);
    return result.error && errorOf(result.error);
  }

  /** Ends all threads; what they were doing is done again after the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#lanes.map((lane) => lane.end()));
  }

  #begin(message: HeavyMessage, done: (outcome: HeavyOutcome) => boolean, index: number): void {
    const { settings, env } = this.#parts;
    const { canister, owner } = message;
    const level = this.#messages[index];
    if (!level) throw new Error('The last lane has no bound.');
    const start = (): HeavyJob => {
      const { code } = canister.record;
      return {
        ...this.#jobBase(level),
        type: 'message',
        timeNanos: message.start(),
        owner,
        message: message.message,
        canister: imageOf(canister),
        hasModule: code !== undefined && env.codes.modules.get(idKey(code.moduleHash)) !== undefined,
      };
    };
    const finish = (result: HeavyResult | Loss, worker: HeavyWorker): void => {
      if (this.#closed) return;
      if (result.type === 'overflow') {
        level.overflows.note(canister.key, habitOf(message.message));
        this.#begin(message, done, index + 1);
      } else if (result.type === 'message') {
        for (const { hash, compiled } of result.modules) env.codes.modules.put(hash, compiled);
        const { runs, refusal, identity } = result;
        const kept = done({ kind: 'done', runs, refusal });
        if (kept && memoryIdentity(canister.record) === identity) worker.kept(canister.key, identity);
      } else if (result.type === 'torn') {
        this.#begin(message, done, index);
      } else {
        done({ kind: 'lost', error: lostMessage(canister.id, result) });
      }
    };
    level.lane.submit({ canister: canister.key, wallMs: settings.messageWallMs, start, done: finish });
  }

  async #ask(canister: IdKey, method: string, job: () => Question): Promise<HeavyResult | Loss> {
    this.#countQuestions(canister, 1);
    try {
      return await this.#passOn(canister, method, job);
    } finally {
      this.#countQuestions(canister, -1);
    }
  }

  /** Has the question answered in the first lane that suffices for it. */
  async #passOn(canister: IdKey, method: string, job: () => Question): Promise<HeavyResult | Loss> {
    const wallMs = this.#parts.settings.queryWallMs;
    let result: HeavyResult | Loss = { type: 'torn' };
    let attempts = 0;
    let index = startOf(this.#queries, canister, method);
    for (let level = this.#queries[index]; level; level = this.#queries[index]) {
      const { lane, overflows } = level;
      const base = { start: () => ({ ...this.#jobBase(level), ...job() }), canister, wallMs };
      result = await new Promise<HeavyResult | Loss>((resolve) => lane.submit({ ...base, done: resolve }));
      if (result.type === 'overflow') {
        overflows.note(canister, method);
        index += 1;
      } else if (result.type !== 'torn' || ++attempts === ATTEMPTS) {
        break;
      }
    }
    return result;
  }

  #isCrowded(canister: IdKey): boolean {
    return this.#asked >= MOST_QUESTIONS || (this.#questions.get(canister) ?? 0) >= MOST_QUESTIONS_OF_ONE;
  }

  #countQuestions(canister: IdKey, change: 1 | -1): void {
    this.#asked += change;
    const count = (this.#questions.get(canister) ?? 0) + change;
    if (count > 0) this.#questions.set(canister, count);
    else this.#questions.delete(canister);
  }

  /** A worker gets half of the memory that is left, so that the other threads can go on. */
  #jobBase({ slice }: Level): Pick<HeavyJob, 'timeNanos' | 'subnetBytes' | 'hardBytes' | 'slice'> {
    const { env, memoryBytes } = this.#parts;
    const left = Math.max(0, memoryBytes - env.codes.residentBytes - this.residentBytes);
    return {
      slice,
      timeNanos: env.clock.now(),
      subnetBytes: env.memory.totalBytes,
      hardBytes: Math.floor(left / 2),
    };
  }

  #makeWorker(niceness: number): HeavyWorker {
    const { worker, settings, store } = this.#parts;
    return new HeavyWorker({
      ...worker,
      configuration: { ...worker.configuration, niceness },
      heapMb: settings.heapMb,
      store,
      serve: (request, view) => this.#serve(request, view),
    });
  }

  #serve(request: ReadRequest, view: ReadView): ReadAnswer {
    if (view.broken) return { type: 'torn' };
    const { env, store } = this.#parts;
    switch (request.type) {
      case 'canister': {
        const canister = env.state.canisters.get(request.key);
        if (canister?.record.code)
          for (const space of [canister.heapSpace(), canister.stableSpace()]) view.watch(space);
        return { type: 'canister', image: canister && imageOf(canister) };
      }
      case 'module':
        return { type: 'module', compiled: env.codes.modules.get(request.hash) };
      case 'value':
        return { type: 'value', bytes: store.get(request.key) };
      case 'keys':
        return { type: 'keys', keys: [...store.keys(request.prefix)] };
      case 'size':
        return { type: 'size', pages: view.spaceSize(request.space) };
      case 'pages':
        return this.#pages(request, view);
    }
  }

  #pages({ space, first, count }: Extract<ReadRequest, { type: 'pages' }>, view: ReadView): ReadAnswer {
    try {
      return { type: 'pages', bytes: view.readPages(space, first, count) };
    } catch (error) {
      if (!(error instanceof StoreDamagedError)) throw error;
      const { codes, state } = this.#parts.env;
      const owner = [...state.canisters.values()].find(
        (each) => space === each.heapSpace() || space === each.stableSpace(),
      );
      if (owner) codes.setApart(owner, error);
      return { type: 'damaged', path: error.path, what: error.what };
    }
  }
}

/** The level at which such work begins, by what became of it lately. */
function startOf(levels: readonly Level[], canister: IdKey, method: string): number {
  return Math.max(0, levels.findLastIndex(({ overflows }) => overflows.isHeavy(canister, method)) + 1);
}

/** Why a message whose thread was lost fails. */
function lostMessage(id: Uint8Array, result: HeavyResult | Loss): ReplicaError {
  if (result.type === 'too-long') return replicaErrors.tookTooLong(id);
  if (result.type === 'out-of-memory') return replicaErrors.outOfMemory(id);
  return replicaErrors.engineFault(id, result.type === 'died' ? result.reason : result.type);
}

function lostQuery(id: Uint8Array, result: HeavyResult | Loss): ReplicaError {
  if (result.type === 'too-long') return replicaErrors.queryTookTooLong(id);
  return lostMessage(id, result);
}

function refused(error: ReplicaError): HeavyAnswer {
  return { outcome: rejectionOutcome(error), isLasting: false, instructions: 0n };
}
