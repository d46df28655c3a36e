import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Engine } from '@cannery/replica/messages';
import type { AnswersAtHand } from '../../http/transport/answers-at-hand.ts';
import { headOf } from '../../http/transport/parse-in-turns.ts';
import { tally } from '../../http/transport/tally.ts';
import { KeptAnswer, type Lasting } from './kept-answer.ts';
import { isPlainKey, keyOf, variesByFromWhere } from './request-key.ts';
import { KEPT_LIMITS, type KeptLimits, Shelves } from './shelves.ts';

/** How often answers go whose certificates are too old, in milliseconds. */
const SWEEP_MILLIS = 30_000;

/** How the states of canisters are known, and the time of the network in nanoseconds. */
export interface StatesOfCanisters {
  readonly engine: Pick<Engine, 'isCurrent'>;
  now(): bigint;
}

/** What an answer is kept with, besides what is sent of it. */
export interface Keeping {
  /** The canister's ID as text. */
  readonly canister: string;
  readonly lasting: Lasting;
  /** What is sent behind its headers. */
  readonly body: Uint8Array;
}

/**
 * Answers that canisters certified for everybody, to be sent again to who sends the same request, while the canister has not
 * changed and the certificate is young (decision 0107).
 */
export class KeptAnswers implements AnswersAtHand, Disposable {
  readonly #states: StatesOfCanisters;
  readonly #limits: KeptLimits;
  readonly #answers = new Map<string, KeptAnswer>();
  readonly #shelves: Shelves;
  readonly #sweeper: NodeJS.Timeout;

  constructor(states: StatesOfCanisters, limits: KeptLimits = KEPT_LIMITS) {
    this.#states = states;
    this.#limits = limits;
    this.#shelves = new Shelves(limits, ({ key }) => this.#answers.delete(key));
    this.#sweeper = setInterval(() => this.sweep(), SWEEP_MILLIS).unref();
  }

  /** What is kept. */
  get held(): Shelves['held'] {
    return this.#shelves.held;
  }

  find(head: string): KeptAnswer | undefined {
    const answer = this.#find(keyOf(head));
    if (!answer?.isKeepAlive) return undefined;
    tally.page('kept');
    return answer;
  }

  /** The answer to a request that the server has read. */
  forRequest(request: IncomingMessage): KeptAnswer | undefined {
    const head = headOf(request);
    const answer = head === undefined ? undefined : this.#find(keyOf(head));
    if (answer) tally.page('kept');
    return answer;
  }

  /** Keeps an answer whose headers are set, if it may be kept. */
  keep(response: ServerResponse, { canister, lasting, body }: Keeping): void {
    const { req: request } = response;
    const head = headOf(request);
    if (head === undefined || body.length > this.#limits.bodyBytes) return;
    const key = keyOf(head);
    if (!isPlainKey(key) || !isForAll(request) || !isToBeKept(response)) return;
    const answer = new KeptAnswer({
      key,
      canister,
      lasting,
      status: response.statusCode,
      headers: sentHeaders(response),
      body,
      isKeepAlive: request.httpVersion === '1.1' && response.shouldKeepAlive,
    });
    const before = this.#answers.get(key);
    if (before) this.#shelves.remove(before);
    if (this.#shelves.add(answer)) this.#answers.set(key, answer);
  }

  /** Lets go of all answers of canisters. */
  forget(canisters: Iterable<string>): void {
    for (const canister of canisters) this.#shelves.clear(canister);
  }

  /** Lets go of answers whose certificates are too old. They are about in the order of their time. */
  sweep(): void {
    const now = this.#states.now();
    for (const answer of this.#answers.values()) {
      if (answer.lasting.untilNanos > now) return;
      this.#shelves.remove(answer);
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#sweeper);
  }

  #find(key: string): KeptAnswer | undefined {
    const answer = this.#answers.get(key);
    if (!answer) return undefined;
    const { stamp, untilNanos } = answer.lasting;
    if (!this.#states.engine.isCurrent(stamp) || this.#states.now() >= untilNanos) {
      this.#shelves.remove(answer);
      return undefined;
    }
    answer.isUsed = true;
    return answer;
  }
}

/** Headers of requests that are one visitor's, or that make more of a request than its head. */
const NOT_FOR_ALL = ['authorization', 'cookie', 'content-length', 'expect', 'transfer-encoding', 'upgrade'];

function isForAll({ headers }: IncomingMessage): boolean {
  return NOT_FOR_ALL.every((name) => headers[name] === undefined);
}

function isToBeKept(response: ServerResponse): boolean {
  const cacheControl = String(response.getHeader('cache-control') ?? '').toLowerCase();
  const vary = String(response.getHeader('vary') ?? '');
  return !/\b(?:no-store|private)\b/.test(cacheControl) && !variesByFromWhere(vary);
}

function sentHeaders(response: ServerResponse): string[] {
  return response.getHeaderNames().flatMap((name) => {
    const value = response.getHeader(name) ?? [];
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((each) => [name, String(each)]);
  });
}
