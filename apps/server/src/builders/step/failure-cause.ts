import { SIGNS as ALL_OTHERS } from './failure-signs.ts';
import { RUST_SIGNS } from './rust-signs.ts';
import { WarningLines } from './warning-lines.ts';

/** Why a tool failed, told by what it printed. */
export interface FailureCause {
  /** A sentence without its full stop, in lower case where its first word is. */
  readonly text: string;
  /** What to do, as a sentence; null for the usual advice. */
  readonly advice: string | null;
}

/** Those of Rust come behind: none of their lines is one of the others. */
const SIGNS = [...ALL_OTHERS, ...RUST_SIGNS];

/** Most characters of a line that is looked at, and of a text that is repeated. */
const LONGEST_LINE = 2_000;
const SHOWN = 300;
/** Colours and the like (ECMA-48, control sequences). */
// oxlint-disable-next-line no-control-regex -- the escape character is what begins them
const ANSI = /\x1b\[[\d;?]{0,20}[A-Za-z]/g;

const NETWORK =
  /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|getaddrinfo)\b(?: (?:ENOTFOUND|EAI_AGAIN))?(?: ([\w.-]{1,200}))?/;
/** Node's own words for it, with the address before them. */
const FETCH_FAILED = /\bhttps?:\/\/([\w.-]{1,200})\S{0,500} (?:\S{1,40} ){0,3}fetch failed/;
/** The first line that calls itself an error; the second group is the rest of it. */
const ERROR_LINE =
  /^[^\w[]{0,12}(?:\[?(?:error|ERROR|Error|fatal|FATAL ERROR|failed)\]?|npm (?:error|ERR!)|[A-Z][A-Za-z]{1,40}Error)(?: \[[A-Z_]{1,40}\])?(?::\s{0,4}|\s{1,4})(\S.*)$/;
/** The error behind an error, as Node prints a chain of them: each is further in than the one that it has caused. */
const CAUSED_BY = /^( {0,40})\[cause\]: (?:[A-Z][A-Za-z]{0,40})?Error(?: \[[A-Z_]{1,40}\])?: (\S.*)$/;
/** Lines of npm about itself. */
const BOOKKEEPING =
  /^npm (?:error|ERR!) (?:code|path|command|errno|syscall|signal|workspace|location|Lifecycle|A complete log|in workspace|\s*at )/;
const COMMAND_NOT_FOUND = 127;
const NOT_RUNNABLE = 126;

/** Reads the lines of a step as they come and keeps what names the cause of its failure, at no cost worth mention. */
export class CauseFinder {
  #best: { rank: number; match: RegExpExecArray } | null = null;
  #host: string | null = null;
  #error: string | null = null;
  /** How far in the error behind it is printed, in characters; -1 where there is none. */
  #depth = -1;
  readonly #warnings = new WarningLines();

  see(raw: string): void {
    const text = raw.slice(0, LONGEST_LINE).replace(ANSI, '');
    const line = text.trim();
    if (this.#warnings.has(line)) return;
    const upTo = this.#best?.rank ?? SIGNS.length;
    for (const [rank, { pattern }] of SIGNS.slice(0, upTo).entries()) {
      const match = pattern.exec(line);
      if (match === null) continue;
      this.#best = { rank, match };
      return;
    }
    const behind = CAUSED_BY.exec(text);
    if (behind !== null && this.#error !== null && (behind[1] ?? '').length > this.#depth) {
      this.#depth = (behind[1] ?? '').length;
      this.#error = behind[2] ?? null;
      return;
    }
    if (this.#error !== null || /\bwarn(?:ing)?\b/i.test(line)) return;
    const network = NETWORK.exec(line) ?? FETCH_FAILED.exec(line);
    if (network !== null) {
      this.#host = network[1] ?? '';
      this.#error = line;
    } else if (!BOOKKEEPING.test(line)) this.#error = ERROR_LINE.exec(line)?.[1] ?? null;
  }

  /**
   * @param exitCode of the step
   * @param hasNetwork whether the step had a way out
   */
  cause(exitCode: number, hasNetwork: boolean): FailureCause | null {
    const sign = this.#best === null ? undefined : SIGNS[this.#best.rank];
    if (this.#best !== null && sign !== undefined) {
      const { match } = this.#best;
      const advice = typeof sign.advice === 'function' ? sign.advice(match) : sign.advice;
      return { text: short(sign.text(match)), advice: advice ?? null };
    }
    if (this.#host !== null && !hasNetwork) return networkCause(this.#host);
    if (this.#error !== null) return { text: short(this.#error), advice: null };
    if (exitCode === COMMAND_NOT_FOUND) return { text: 'one of its commands was not found', advice: null };
    if (exitCode === NOT_RUNNABLE) return { text: 'one of its commands cannot be run', advice: null };
    return null;
  }
}

function networkCause(host: string): FailureCause {
  const named = host === '' ? 'the network' : `the network (${host})`;
  return {
    text: `it tried to reach ${named}, which only package installation may do`,
    advice: 'Commit what it fetches, or ask the operator to allow the network (BUILD_NETWORK=listed).',
  };
}

function short(text: string): string {
  const line = text.replace(/(?<![.:\s])[.:\s]+$/, '');
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}

/** The end of a message about a failure: the cause, where there is one, and what to do. */
export function causeText(cause: FailureCause | null, usualAdvice: string): string {
  const reason = cause === null ? '' : ` The cause: ${cause.text}.`;
  return `${reason} ${cause?.advice ?? usualAdvice}`;
}
