import { AppError } from '../../../errors.ts';

const RETRY_SECONDS = 2;

/**
 * How many calls of canisters are under way. A canister answers when its code wants to, so what waits for one is
 * refused beyond a few: handlers that wait are missing to everybody.
 */
export class CallsUnderWay {
  readonly #limits: { readonly most: number; readonly perUser: number };
  readonly #users = new Map<string, number>();
  #all = 0;

  /** @param limits.most of all users together */
  constructor(limits: { most: number; perUser: number }) {
    this.#limits = limits;
  }

  /** Runs a call of a user. @throws AppError rate_limited when too many are under way, or what the call throws */
  async run<T>(userId: string, call: () => Promise<T>): Promise<T> {
    const own = this.#users.get(userId) ?? 0;
    if (own >= this.#limits.perUser || this.#all >= this.#limits.most) {
      throw new AppError('rate_limited', 'Too many calls of canisters are under way.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    this.#users.set(userId, own + 1);
    this.#all += 1;
    try {
      return await call();
    } finally {
      this.#all -= 1;
      const left = (this.#users.get(userId) ?? 1) - 1;
      if (left === 0) this.#users.delete(userId);
      else this.#users.set(userId, left);
    }
  }
}
