import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, createApi } from '@cannery/dev-env';

/** Something a client wants paid, once, however often it has to ask. */
export interface Intention {
  readonly key: string;
  /** Undefined for a creation. */
  readonly canisterId: string | undefined;
  /** T; what a creation costs is the server's to say. */
  readonly amount: number | undefined;
  /** How it ended: the canister that was paid for, or the code of the refusal. */
  outcome?: { readonly paid: string } | { readonly refused: string };
}

/** What the clients of one user share. */
export interface Customer {
  readonly name: string;
  readonly canisters: string[];
  readonly intentions: Intention[];
}

const CREATE_SHARE = 0.25;
const EXCESS_SHARE = 0.05;
const REPEAT_SHARE = 0.05;
/** Top-ups in T: most are small, and some as large as one may be, which soon exceeds any balance. */
const SMALL_T = 0.5;
const LARGEST_T = 10;
const RETRY_MS = 40;

/** Answers after which the same request is sent again with the same key. */
const UNDECIDED: ReadonlySet<unknown> = new Set(['canister_busy', 'network_unavailable']);

/** Sends one paid request after the other, each until its outcome is known. */
export class PayingClient {
  readonly #api: Api;
  readonly #customer: Customer;
  readonly #random: () => number;
  readonly #undecided: ReadonlySet<unknown>;
  /** Requests that got no answer, because the server was gone. */
  unanswered = 0;
  /** Requests that were answered with "try again". */
  undecided = 0;
  readonly findings: string[] = [];

  /** @param more other codes after which the same request is sent again */
  constructor(
    url: string,
    token: string,
    customer: Customer,
    random: () => number,
    more: readonly string[] = [],
  ) {
    this.#undecided = new Set([...UNDECIDED, ...more]);
    this.#api = createApi(url, token);
    this.#customer = customer;
    this.#random = random;
  }

  /** Carries out one more intention to its end. */
  async step(): Promise<void> {
    const intention = this.#nextIntention();
    this.#customer.intentions.push(intention);
    intention.outcome = await this.#settle(intention);
    const { outcome } = intention;
    if (!('paid' in outcome)) return;
    if (intention.canisterId === undefined) this.#customer.canisters.push(outcome.paid);
    if (this.#random() > REPEAT_SHARE) return;
    const again = await this.#settle(intention);
    if (!('paid' in again) || again.paid !== outcome.paid)
      this.findings.push(`${intention.key}: sent again it answered ${JSON.stringify(again)}`);
  }

  #nextIntention(): Intention {
    const { canisters } = this.#customer;
    const key = randomUUID();
    const canisterId = canisters[Math.floor(this.#random() * canisters.length)];
    if (canisterId === undefined || this.#random() < CREATE_SHARE)
      return { key, canisterId: undefined, amount: undefined };
    const most = this.#random() < EXCESS_SHARE ? LARGEST_T : SMALL_T;
    return { key, canisterId, amount: Math.ceil(this.#random() * most * 100) / 100 };
  }

  async #settle(intention: Intention): Promise<NonNullable<Intention['outcome']>> {
    const { key, canisterId: canister_id, amount } = intention;
    const headers = { 'idempotency-key': key };
    const name = `paid ${key}`;
    for (;;) {
      const answer = await (canister_id === undefined
        ? this.#api.request('POST', '/canister/create', { name }, headers)
        : this.#api.request('POST', '/canister/topup', { canister_id, amount }, headers)
      ).catch(() => undefined);
      const body = (answer?.body ?? {}) as { code?: string; data?: { canister_id: string } };
      if (answer?.status === 200) return { paid: canister_id ?? body.data?.canister_id ?? '' };
      if (answer === undefined) this.unanswered += 1;
      else if (this.#undecided.has(body.code)) this.undecided += 1;
      else if (answer.status >= 500)
        this.findings.push(`${key}: ${answer.status} ${JSON.stringify(answer.body)}`);
      else return { refused: body.code ?? `status ${answer.status}` };
      await sleep(RETRY_MS);
    }
  }
}
