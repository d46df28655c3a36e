import { TYPED } from '../faults/work.ts';

/** How a call ended, as far as its caller knows. */
export type Outcome =
  | { readonly sort: 'done'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly sort: 'refused'; readonly code: string }
  | { readonly sort: 'unknown' };

/** Codes that say that something was away: what was asked may have been done all the same. */
const UNSURE: readonly string[] = [...TYPED, 'repository_busy', 'git_host_unavailable'];

const PATIENCE_MS = 90_000;

/** What one user was told, as values that each thing may have now: one where the last change was answered, more where it was not. */
export class Journal {
  readonly findings: string[] = [];
  readonly refused: Record<string, number> = {};
  /** Calls that got no answer, by what they were for and what the caller saw. */
  readonly silent: Record<string, number> = {};
  done = 0;
  /** Longest time of one call, in milliseconds. */
  longestMs = 0;
  readonly #cells = new Map<string, Set<string>>();

  /** Makes a call, and counts how it ended. */
  async ask(
    what: string,
    call: () => Promise<{ status: number; body: Record<string, unknown> }>,
  ): Promise<Outcome> {
    const start = performance.now();
    const answer = await call().catch((error: unknown) => this.lose(what, error));
    const ms = performance.now() - start;
    this.longestMs = Math.max(this.longestMs, ms);
    if (ms > PATIENCE_MS) this.findings.push(`${what} took ${(ms / 1000).toFixed(0)} s`);
    if (answer === undefined) return { sort: 'unknown' };
    if (answer.status === 200) {
      this.done += 1;
      return { sort: 'done', body: answer.body };
    }
    const code = String(answer.body['code']);
    const counted = `${what}: ${code}`;
    this.refused[counted] = (this.refused[counted] ?? 0) + 1;
    if (answer.status >= 500 && !TYPED.includes(code))
      this.findings.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return UNSURE.includes(code) ? { sort: 'unknown' } : { sort: 'refused', code };
  }

  /** Notes that a call got no answer. */
  lose(what: string, error: unknown): undefined {
    const seen = error instanceof Error ? String(error.cause ?? error.message) : String(error);
    const counted = `${what}: ${seen.split('\n', 1)[0]?.slice(0, 200)}`;
    this.silent[counted] = (this.silent[counted] ?? 0) + 1;
  }

  /** Writes down what a change has come to. */
  change(key: string, value: string, outcome: Outcome): void {
    if (outcome.sort === 'done') this.#cells.set(key, new Set([value]));
    else if (outcome.sort === 'unknown') this.#cells.get(key)?.add(value);
  }

  /** The value of a thing from before its first change. */
  begin(key: string, value: string): void {
    this.#cells.set(key, new Set([value]));
  }

  /** Something may have got this value besides what is known: every thing whose key begins so may have it. */
  doubt(prefix: string, value: string): void {
    for (const [key, values] of this.#cells) if (key.startsWith(prefix)) values.add(value);
  }

  /** Holds a value that was found against what may be. */
  hold(key: string, found: string): void {
    const possible = this.#cells.get(key);
    if (possible !== undefined && !possible.has(found))
      this.findings.push(`${key} is ${found} and should be ${[...possible].join(' or ')}`);
  }

  /** Every key that begins so, without that beginning. */
  keys(prefix: string): string[] {
    return [...this.#cells.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length));
  }
}
