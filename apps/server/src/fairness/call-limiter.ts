import { MAX_WASM_BYTES } from '@cannery/contract';
import { AppError } from '../errors.ts';
import { addressTenant, Callers } from './callers.ts';
import { FairSemaphore } from './fair-semaphore.ts';
import type { Rate, Rates } from './rates.ts';
import { localRates } from './token-buckets.ts';

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
/** The most that one upload owes, in bytes; none may be longer. */
const LARGEST_UPLOAD = MAX_WASM_BYTES;
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
  readonly #calls: Rate;
  readonly #addressCalls: Rate;
  readonly #refusals: Rate;
  /** Bytes of uploads. */
  readonly #uploads: Rate;
  /** Where rates are counted, for those that other parts of the server have. */
  readonly rates: Rates;
  readonly #turns = new FairSemaphore({
    most: HANDLERS,
    perTenant: HANDLERS_PER_TENANT,
    waitingPerTenant: WAITING_PER_TENANT,
    what: 'calls',
  });

  /** @param rates where they are counted; in this process if nobody says otherwise */
  constructor(limits: CallLimits, rates: Rates = localRates(limits.now)) {
    this.#limits = limits;
    this.rates = rates;
    const { callsPerSecond, signInsPerMinute } = limits;
    const steady = (perSecond: number) => ({ perSecond, burst: perSecond * BURST_SECONDS });
    this.#calls = rates.open('calls', steady(callsPerSecond));
    this.#addressCalls = rates.open('address-calls', steady(callsPerSecond * ADDRESS_SHARE));
    const bytes = steady(callsPerSecond * UPLOAD_BYTES_PER_CALL);
    this.#uploads = rates.open('uploads', { ...bytes, debt: LARGEST_UPLOAD });
    this.#refusals = rates.open('refusals', {
      perSecond: signInsPerMinute / 60,
      burst: signInsPerMinute,
      debt: signInsPerMinute,
    });
  }

  /**
   * Counts a request.
   * @returns a promise only where other processes had to be asked
   * @throws AppError rate_limited when its tenant has called too often, or its address has guessed too often
   */
  count(sender: Sender): Promise<void> | undefined {
    const tenant = this.tenantOf(sender);
    const isUser = tenant !== addressTenant(sender.address);
    const wait = (isUser ? this.#calls : this.#addressCalls).take(tenant);
    const counted = (seconds: number): Promise<void> | undefined => {
      if (seconds > 0) throw this.#tooManyCalls(seconds, isUser);
      return this.#countGuess(sender);
    };
    return typeof wait === 'number' ? counted(wait) : wait.then(counted);
  }

  #tooManyCalls(seconds: number, isUser: boolean): AppError {
    const rate = this.#limits.callsPerSecond * (isUser ? 1 : ADDRESS_SHARE);
    return new AppError('rate_limited', `Too many calls in a short time: ${rate} a second are allowed.`, {
      detail: 'The operator can change RATE_LIMIT.',
      retryAfterSeconds: seconds,
    });
  }

  #countGuess({ credential, address }: Sender): Promise<void> | undefined {
    if (credential === undefined || this.#callers.isKnown(credential)) return undefined;
    return atOnce(this.#refusals.wait(addressTenant(address)), (seconds) => {
      throw new AppError('rate_limited', 'Too many refused sign-ins and tokens from this address.', {
        detail: 'The operator can change SIGN_IN_LIMIT.',
        retryAfterSeconds: seconds,
      });
    });
  }

  /**
   * Counts the bytes of an upload, before any of them is read. One upload of any size is always let through; the next
   * one waits until it is paid for.
   * @returns a promise only where other processes had to be asked
   * @throws AppError rate_limited when its tenant has sent too much
   */
  countUpload(sender: Sender, bytes: number): Promise<void> | undefined {
    const wait = this.#uploads.take(this.tenantOf(sender), Math.max(bytes, SMALLEST_UPLOAD));
    return atOnce(wait, (seconds) => {
      throw new AppError('rate_limited', 'You have uploaded too much in a short time.', {
        detail: 'The operator can change RATE_LIMIT.',
        retryAfterSeconds: seconds,
      });
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
      // Many that were looked at while there was one token are all paid for.
      this.#refusals.charge(addressTenant(address));
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

/**
 * Refuses what has to wait, at once where that is known at once.
 * @param refuse gets the seconds to wait, and throws
 */
export function atOnce(
  wait: number | Promise<number>,
  refuse: (seconds: number) => never,
): Promise<void> | undefined {
  if (typeof wait !== 'number') {
    return wait.then((seconds) => {
      if (seconds > 0) refuse(seconds);
    });
  }
  if (wait > 0) refuse(wait);
  return undefined;
}
