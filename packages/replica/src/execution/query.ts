import { ReplicaError, replicaErrors } from '@cannery/ic/errors';
import { MAX_QUERY_CALL_DEPTH, MAX_QUERY_REPLY_BYTES, QUERY_CALL_INSTRUCTIONS } from '@cannery/ic/limits';
import type { CallerInfo } from '../messages.ts';
import type { Outcome } from '@cannery/ic/state-leaves';
import type { Canister } from '../state/canister.ts';
import { areApart } from '../state/id-range.ts';
import { type CertificateAccess, type ContextInput, messageContext } from '../system-api/message-context.ts';
import { joinedBytes } from '../system-api/blob.ts';
import type { OutgoingCall } from '../system-api/message-context.ts';
import type { Environment } from './environment.ts';
import type { LoadedCode } from './run/loaded-code.ts';
import { isIgnored, responseInput } from './response.ts';
import { rejectionOutcome, responseOutcome } from './respond.ts';
import type { Run } from './run/run.ts';
import { standingAccount } from './spending.ts';

export interface Query {
  readonly canisterId: Uint8Array;
  readonly method: string;
  readonly arg: Uint8Array;
  readonly caller: Uint8Array;
  readonly callerInfo?: CallerInfo | undefined;
  /** Only the canister a user asks directly may fetch its certificate. */
  readonly certificate: CertificateAccess;
}

/** Where a query is in the call graph of a composite query. */
interface Graph {
  /** Canisters between the user and the query at hand, outermost first. */
  readonly callers: readonly Uint8Array[];
  readonly budget: Budget;
  /** What its queries add to the statistics of their canisters; counted when the graph has come to its end here. */
  readonly counts: (() => void)[];
  /** What its queries depend on beside the query and the state of the canister that a user asks. */
  readonly others: Set<'passing' | 'canister'>;
}

/** What a query came to. */
export interface QueryAnswer {
  readonly outcome: Outcome;
  /** The same query has the same answer while the canister's state is the same. */
  readonly isLasting: boolean;
}

/** What all queries of a call graph together may still use. */
class Budget {
  #instructions: bigint;
  /** Whether a limit of the graph was passed, which ends all of it. */
  spent = false;

  constructor(instructions: bigint) {
    this.#instructions = instructions;
  }

  use(instructions: bigint): void {
    this.#instructions -= instructions;
    if (this.#instructions <= 0n) this.spent = true;
  }
}

/**
 * Runs a query method; nothing it does is kept. Throws `StaleCertificate` when the canister wants its certificate
 * and the one at hand does not certify its current data.
 */
export function executeQuery(env: Environment, query: Query): QueryAnswer {
  const graph: Graph = { callers: [], budget: new Budget(env.limits.query), counts: [], others: new Set() };
  const outcome = evaluate(env, query, graph);
  for (const count of graph.counts) count();
  return { outcome, isLasting: graph.others.size === 0 };
}

function evaluate(env: Environment, query: Query, graph: Graph): Outcome {
  try {
    const { canisterId, caller, method, arg } = query;
    if (canisterId.length === 0) return env.managementQuery(env, { sender: caller, method, arg });
    const canister = findCanister(env, canisterId);
    const code = env.codes.get(canister);
    const evaluation = new Evaluation(env, canister, code, query, graph);
    return evaluation.outcome();
  } catch (error) {
    // Past a limit of the graph no canister of it goes on: the error is the answer to the user.
    const ends = graph.callers.length > 0 && graph.budget.spent;
    if (error instanceof ReplicaError && !ends) return rejectionOutcome(error);
    throw error;
  }
}

function findCanister(env: Environment, id: Uint8Array): Canister {
  const canister = env.state.find(id);
  if (!canister) throw replicaErrors.canisterNotFound(id);
  if (canister.record.status === 'stopped') throw replicaErrors.stopped(id);
  if (canister.record.status === 'stopping') throw replicaErrors.stopping(id);
  const { account, balance, exhausted } = standingAccount(env, canister, env.clock.now());
  if (exhausted || account.isFrozen(balance)) throw replicaErrors.frozenQuery(id);
  return canister;
}

class Evaluation {
  readonly #env: Environment;
  readonly #canister: Canister;
  readonly #code: LoadedCode;
  readonly #query: Query;
  readonly #graph: Graph;
  #instructions = 0n;
  #answer: Outcome | undefined;

  constructor(env: Environment, canister: Canister, code: LoadedCode, query: Query, graph: Graph) {
    this.#env = env;
    this.#canister = canister;
    this.#code = code;
    this.#query = query;
    this.#graph = graph;
  }

  outcome(): Outcome {
    const { method } = this.#query;
    const plain = `canister_query ${method}`;
    const composite = `canister_composite_query ${method}`;
    const { instance } = this.#code;
    if (instance.hasExport(plain)) return this.#plain(plain);
    if (instance.hasExport(composite)) return this.#composite(composite);
    throw replicaErrors.methodNotFound(this.#canister.id, 'query', method);
  }

  #plain(exportName: string): Outcome {
    const result = this.#run('NRQ', {}, () => this.#code.instance.call(exportName));
    if (result.error) return this.#count(rejectionOutcome(result.error));
    this.#code.rollback();
    const { response } = result.context;
    return this.#count(response ? responseOutcome(response) : this.#noReply());
  }

  /**
   * The state of a composite query lives over its calls, so it is kept in memory, out of sight of others: a call back to
   * the same canister starts from the committed state.
   */
  #composite(exportName: string): Outcome {
    const first = this.#run('CQ', {}, () => this.#code.instance.call(exportName));
    if (first.error) return this.#count(rejectionOutcome(first.error));
    if (first.context.response || first.context.calls.length === 0) {
      this.#code.rollback();
      const { response } = first.context;
      return this.#count(response ? responseOutcome(response) : this.#noReply());
    }
    this.#env.codes.forget(this.#canister);
    this.#settle(first);
    return this.#count(this.#answer ?? this.#noReply());
  }

  /** Makes the calls of a step one after the other, until one of them or the step itself has brought the answer. */
  #settle(step: Run): void {
    this.#code.instance.commit();
    const { response, calls } = step.context;
    if (response) this.#answer = responseOutcome(response);
    for (const call of calls) {
      if (this.#answer) return;
      this.#call(call);
    }
  }

  #call(call: OutgoingCall): void {
    const outcome = this.#evaluate(call);
    const closure = outcome.status === 'replied' ? call.onReply : call.onReject;
    if (isIgnored(closure)) return;
    const { instance } = this.#code;
    const input = responseInput({ outcome, refund: 0n });
    const entry = outcome.status === 'replied' ? 'CRy' : 'CRt';
    const step = this.#run(entry, input, () => instance.callTable(closure.index, closure.environment));
    if (!step.error) {
      this.#settle(step);
      return;
    }
    this.#answer = rejectionOutcome(step.error);
    const { onCleanup } = call;
    if (!onCleanup) return;
    const cleanup = this.#run('CC', {}, () => instance.callTable(onCleanup.index, onCleanup.environment));
    if (!cleanup.error) instance.commit();
  }

  #evaluate(call: OutgoingCall): Outcome {
    const { budget, counts, others } = this.#graph;
    others.add('canister');
    // A node has the state of its own subnet only.
    if (call.callee.length > 0 && areApart(this.#env.idRanges, this.#canister.id, call.callee))
      return rejectionOutcome(replicaErrors.canisterNotFound(call.callee));
    budget.use(QUERY_CALL_INSTRUCTIONS);
    if (budget.spent) throw replicaErrors.queryGraphInstructions();
    const callers = [...this.#graph.callers, this.#canister.id];
    if (callers.length > MAX_QUERY_CALL_DEPTH) {
      budget.spent = true;
      throw replicaErrors.queryTooDeep();
    }
    return evaluate(
      this.#env,
      {
        canisterId: call.callee,
        method: call.method,
        arg: joinedBytes(call.data),
        caller: this.#canister.id,
        certificate: { allowed: false },
      },
      { callers, budget, counts, others },
    );
  }

  #run(entry: 'NRQ' | 'CQ' | 'CRy' | 'CRt' | 'CC', input: Partial<ContextInput>, enter: () => void): Run {
    const { caller, callerInfo, arg, certificate } = this.#query;
    const first = entry === 'NRQ' || entry === 'CQ';
    const now = this.#env.clock.now();
    const { account, balance } = standingAccount(this.#env, this.#canister, now);
    const result = this.#env.runner.run(
      this.#code,
      messageContext({
        entry,
        subnet: this.#env.subnet,
        canister: this.#canister.record,
        account,
        balance,
        timeNanos: now,
        instructionLimit: this.#env.limits.query,
        caller,
        callerInfo,
        contextInstructions: this.#instructions,
        canRespond: this.#answer === undefined && entry !== 'CC',
        certificate: first ? certificate : { allowed: false },
        maxReplyBytes: MAX_QUERY_REPLY_BYTES,
        ...(first && { arg }),
        ...input,
      }),
      enter,
    );
    this.#instructions += result.instructions;
    this.#graph.budget.use(result.instructions);
    if (result.context.isToldPassing) this.#graph.others.add('passing');
    return result;
  }

  #noReply(): Outcome {
    return rejectionOutcome(replicaErrors.didNotReply(this.#canister.id));
  }

  #count(outcome: Outcome): Outcome {
    this.#graph.counts.push(() => {
      const statistics = this.#canister.record.queryStatistics;
      statistics.calls += 1n;
      statistics.instructions += this.#instructions;
      statistics.requestBytes += BigInt(this.#query.arg.length);
      statistics.responseBytes += BigInt(
        outcome.status === 'replied' ? outcome.reply.length : outcome.message.length,
      );
    });
    return outcome;
  }
}
