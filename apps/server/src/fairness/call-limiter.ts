import { AppError } from '../errors.ts';
import { addressTenant, Callers } from './callers.ts';
import { FairSemaphore } from './fair-semaphore.ts';
import { TokenBuckets } from './token-buckets.ts';

/** How much more than a second's calls may come at once: a page asks for much, then rests. */
const BURST_SECONDS = 10;
/**
 * How much more than one user an address may call: many people can be behind one, and who is not signed in mostly loads
 * the console's files.
 */
const ADDRESS_SHARE = 10;
/** Bytes of uploads that one call of the rate stands for: reading and checking them takes about as long. */
const UPLOAD_BYTES_PER_CALL = 160 * 1024;
/** What an upload counts at least, in bytes. */
const SMALLEST_UPLOAD = 1024 * 1024;
/** Handlers at work for all; most of them wait for the database, which has 20 connections. */
const HANDLERS = 40;
/** Of these for one tenant: as many as a browser opens connections, and some for git and scripts. */
const HANDLERS_PER_TENANT = 8;
/** More calls of one tenant wait. */
const WAITING_PER_TENANT = 400;

export interface CallLimits {
  /** Calls a second of one user; an address that is not signed in has ten times as many. */
  readonly callsPerSecond: number;
  /** Steps of a sign-in, and refused credentials, a minute and address. */
  readonly signInsPerMinute: number;
  /** The time in milliseconds, from any start. */
  readonly now?: (() => number) | undefined;
}

/** What a request shows of its sender before anything is looked up. */
export interface Sender {
  /** Bearer token, access token of the git host or cookie, if there is one. */
  readonly credential: string | undefined;
  readonly address: string;
}

/** What every request passes: how often a tenant may call, and whose turn it is. */
export class CallLimiter {
  readonly #callers = new Callers();
  readonly #limits: CallLimits;
  readonly #calls: TokenBuckets;
  readonly #addressCalls: TokenBuckets;
  readonly #refusals: TokenBuckets;
  /** Bytes of uploads. */
  readonly #uploads: TokenBuckets;
  readonly #turns = new FairSemaphore({
    most: HANDLERS,
    perTenant: HANDLERS_PER_TENANT,
    waitingPerTenant: WAITING_PER_TENANT,
    what: 'calls',
  });

  constructor(limits: CallLimits) {
    this.#limits = limits;
    this.#calls = new TokenBuckets({
      perSecond: limits.callsPerSecond,
      burst: limits.callsPerSecond * BURST_SECONDS,
      now: limits.now,
    });
    this.#addressCalls = new TokenBuckets({
      perSecond: limits.callsPerSecond * ADDRESS_SHARE,
      burst: limits.callsPerSecond * ADDRESS_SHARE * BURST_SECONDS,
      now: limits.now,
    });
    this.#uploads = new TokenBuckets({
      perSecond: limits.callsPerSecond * UPLOAD_BYTES_PER_CALL,
      burst: limits.callsPerSecond * UPLOAD_BYTES_PER_CALL * BURST_SECONDS,
      now: limits.now,
    });
    this.#refusals = new TokenBuckets({
      perSecond: limits.signInsPerMinute / 60,
      burst: limits.signInsPerMinute,
      now: limits.now,
    });
  }

  /**
   * Counts a request.
   * @throws AppError rate_limited when its tenant has called too often, or its address has guessed too often
   */
  count(sender: Sender): void {
    const tenant = this.tenantOf(sender);
    const isUser = tenant !== addressTenant(sender.address);
    const wait = (isUser ? this.#calls : this.#addressCalls).take(tenant);
    if (wait > 0) {
      const rate = this.#limits.callsPerSecond * (isUser ? 1 : ADDRESS_SHARE);
      throw new AppError('rate_limited', `Too many calls in a short time: ${rate} a second are allowed.`, {
        detail: 'The operator can change RATE_LIMIT.',
        retryAfterSeconds: wait,
      });
    }
    const { credential, address } = sender;
    if (credential === undefined || this.#callers.isKnown(credential)) return;
    const guesses = this.#refusals.wait(addressTenant(address));
    if (guesses > 0) {
      throw new AppError('rate_limited', 'Too many refused sign-ins and tokens from this address.', {
        detail: 'The operator can change SIGN_IN_LIMIT.',
        retryAfterSeconds: guesses,
      });
    }
  }

  /**
   * Counts the bytes of an upload, before any of them is read. One upload of any size is always let through; the next
   * one waits until it is paid for.
   * @throws AppError rate_limited when its tenant has sent too much
   */
  countUpload(sender: Sender, bytes: number): void {
    const wait = this.#uploads.take(this.tenantOf(sender), Math.max(bytes, SMALLEST_UPLOAD));
    if (wait === 0) return;
    throw new AppError('rate_limited', 'You have uploaded too much in a short time.', {
      detail: 'The operator can change RATE_LIMIT.',
      retryAfterSeconds: wait,
    });
  }

  /** Who a request counts as. */
  tenantOf({ credential, address }: Sender): string {
    return this.#callers.tenantOf(credential, address);
  }

  /**
   * Looks up the user of a credential when the sender's turn comes, and remembers or counts the outcome.
   * @throws AppError rate_limited when too many of the sender's calls wait already
   */
  async identify<User extends { readonly id: string }>(
    sender: Sender & { readonly credential: string },
    lookUp: (credential: string) => Promise<User | undefined>,
  ): Promise<User | undefined> {
    const { credential, address } = sender;
    const user = await this.#turns.take(this.tenantOf(sender), () => lookUp(credential));
    if (user !== undefined) this.#callers.know(credential, user.id);
    else {
      this.#callers.forget(credential);
      this.#refusals.take(addressTenant(address));
    }
    return user;
  }

  /**
   * Handles a request when its tenant's turn comes.
   * @throws AppError rate_limited when too many of the tenant's calls wait already; the signal's reason when it aborts
   */
  handle<T>(tenant: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#turns.take(tenant, work, signal);
  }
}
