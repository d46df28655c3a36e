/** What a look at something came to. */
export interface Finding {
  readonly ok: boolean;
  /** A sentence for the operator, where there is something to say. */
  readonly reason?: string;
  /** How long it took, in milliseconds; of a look that did not end, how long it has lasted. */
  readonly ms: number;
}

/** What a look finds: nothing where all is well, or a reason. `isWell` for a reason that is only told. */
export type Look = () => Promise<{ readonly reason: string; readonly isWell?: boolean } | undefined>;

/** How long a look may take before it counts as failed, in milliseconds: with all else an answer is there within 2 s. */
const PATIENCE_MS = 1_500;
/** A finding is used again for as long, in milliseconds, however often it is asked for. */
const FRESH_MS = 1_000;

/**
 * Looks whether a part works. Never two looks at once: one that hangs, as at a database that does not answer, is not followed
 * by others that hang as well.
 */
export class Probe {
  readonly #look: Look;
  readonly #patienceMs: number;
  #running: { readonly since: number; readonly finding: Promise<Finding> } | undefined;
  #last: { readonly at: number; readonly finding: Finding } | undefined;

  constructor(look: Look, patienceMs = PATIENCE_MS) {
    this.#look = look;
    this.#patienceMs = patienceMs;
  }

  /** Never throws, and never takes longer than the patience. */
  async find(): Promise<Finding> {
    if (this.#last !== undefined && performance.now() - this.#last.at < FRESH_MS) return this.#last.finding;
    const { since, finding } = (this.#running ??= this.#begin());
    const { promise, resolve } = Promise.withResolvers<Finding>();
    const left = Math.max(0, this.#patienceMs - (performance.now() - since));
    const timer = setTimeout(() => {
      const ms = Math.round(performance.now() - since);
      resolve({ ok: false, reason: `It has not answered for ${(ms / 1000).toFixed(1)} s.`, ms });
    }, left);
    void finding.then(resolve);
    return promise.finally(() => clearTimeout(timer));
  }

  #begin(): { readonly since: number; readonly finding: Promise<Finding> } {
    const since = performance.now();
    const finding = this.#findNow(since).then((found) => {
      this.#running = undefined;
      this.#last = { at: performance.now(), finding: found };
      return found;
    });
    return { since, finding };
  }

  async #findNow(since: number): Promise<Finding> {
    const took = (): number => Math.round(performance.now() - since);
    try {
      const found = await this.#look();
      if (found === undefined) return { ok: true, ms: took() };
      return { ok: found.isWell === true, reason: found.reason, ms: took() };
    } catch (error) {
      return { ok: false, reason: sentenceOf(error), ms: took() };
    }
  }
}

/** What may be told of an error: its code, and never its text, which may have an address with a password in it. */
function sentenceOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[\w-]{1,40}$/.test(code) ? `It failed (${code}).` : 'It failed.';
}
