import { setImmediate as nextTurn } from 'node:timers/promises';
import { executeQuery, type Query, type QueryAnswer } from '../execution/query.ts';
import { SliceExceeded } from '../execution/run/run.ts';
import { queryManagement } from '../management/dispatch.ts';
import type { QueryMessage, QueryOutcome, QueryResult, StateStamp } from '../messages.ts';
import type { SlicedEnvironment } from '../scheduler/scheduler.ts';
import { SlowMethodHistory } from '../scheduler/slow-method-history.ts';
import type { MethodUse } from '../scheduler/method-use.ts';
import { idKey } from '../state/canister-id.ts';
import type { StateStamps } from './state-stamps.ts';
import type { DataCertificate } from '../system-api/message-context.ts';
import { StaleCertificate } from '../system-api/identity-functions.ts';
import type { HeavyPool } from './heavy/heavy-pool.ts';

/** Longest time work of one kind may keep a turn of the event loop, in milliseconds. */
const TURN_MS = 10;

/** Lets work that arrives in a bunch make room for other work between its pieces. */
class EventLoopBudget {
  #began: number | undefined;

  /** Whether the piece at hand has to wait for `next`. */
  get isOver(): boolean {
    const now = performance.now();
    if (this.#began === undefined) {
      this.#began = now;
      setImmediate(() => {
        this.#began = undefined;
      });
    }
    return now - this.#began > TURN_MS;
  }

  /** Resolves in a turn with time left. */
  async next(): Promise<void> {
    while (this.isOver) await nextTurn();
  }
}

interface QueryParts {
  readonly stamps: StateStamps;
  /** Hears of each query to a canister that is there. */
  readonly methods: MethodUse;
  /** Resolves once the state is published in which a query found its certificate out of date. */
  readonly published: () => Promise<void>;
}

/** Answers queries: between messages where a slice suffices, and in another thread where it does not. */
export class Queries {
  readonly #env: SlicedEnvironment;
  readonly #heavy: HeavyPool;
  readonly #published: () => Promise<void>;
  readonly #stamps: StateStamps;
  readonly #methods: MethodUse;
  readonly #habits = new SlowMethodHistory();
  readonly #turns = new EventLoopBudget();

  constructor(env: SlicedEnvironment, heavy: HeavyPool, { stamps, methods, published }: QueryParts) {
    this.#env = env;
    this.#stamps = stamps;
    this.#methods = methods;
    this.#heavy = heavy;
    this.#published = published;
  }

  /** See `Engine.query`. */
  async answer(message: QueryMessage): Promise<QueryResult> {
    if (this.#turns.isOver) await this.#turns.next();
    if (message.canisterId.length === 0) return queryManagement(this.#env, message);
    const query: Query = {
      canisterId: message.canisterId,
      method: message.method,
      arg: message.arg,
      caller: message.sender,
      callerInfo: message.callerInfo,
      certificate: message.uncertified
        ? { allowed: false }
        : { allowed: true, value: message.dataCertificate },
    };
    const key = idKey(query.canisterId);
    const stamp = message.stamped ? this.#stamps.lasting(this.#env, query.canisterId) : undefined;
    const light = this.#habits.isHeavy(key, query.method) ? 'heavy' : this.#light(key, query);
    const answer = light === 'heavy' ? await this.#runHeavy(key, query) : light;
    if (answer !== 'stale') return this.#stamped(answer, stamp);
    // Whoever asks again has then seen the data that is to be certified.
    await this.#published();
    return { status: 'stale-certificate' };
  }

  /** The outcome, with the stamp if it is of that state: the canister may change while a query runs in another thread. */
  #stamped({ outcome, isLasting }: QueryAnswer, stamp: StateStamp | undefined): QueryOutcome {
    if (!stamp || !isLasting || outcome.status !== 'replied') return outcome;
    return this.#stamps.isCurrent(stamp) ? { ...outcome, stamp } : outcome;
  }

  #light(key: string, query: Query): QueryAnswer | 'heavy' | 'stale' {
    const { runner, codes } = this.#env;
    const before = runner.used;
    runner.begin('query');
    try {
      const answer = executeQuery(this.#env, query);
      runner.end();
      if (runner.used > before) this.#methods.noteQuery(key, query.method, runner.used - before);
      return answer;
    } catch (error) {
      if (error instanceof StaleCertificate) return 'stale';
      if (error instanceof SliceExceeded) return 'heavy';
      throw error;
    } finally {
      codes.trim();
    }
  }

  async #runHeavy(key: string, query: Query): Promise<QueryAnswer | 'stale'> {
    this.#habits.note(key, query.method);
    const { callerInfo, certificate } = query;
    // The bytes of many queries may share one buffer, and the whole of it would travel with each.
    const answer = await this.#heavy.query({
      ...query,
      canisterId: query.canisterId.slice(),
      arg: query.arg.slice(),
      caller: query.caller.slice(),
      callerInfo: callerInfo && { data: callerInfo.data.slice(), signer: callerInfo.signer.slice() },
      certificate: certificate.allowed
        ? { allowed: true, value: certificate.value && ownCopy(certificate.value) }
        : certificate,
    });
    if (answer && answer.instructions > 0n) this.#methods.noteQuery(key, query.method, answer.instructions);
    return answer ?? 'stale';
  }
}

function ownCopy({ certificate, certifiedData }: DataCertificate): DataCertificate {
  return { certificate: certificate.slice(), certifiedData: certifiedData.slice() };
}
