import type { LogLinesEvent } from '@cannery/contract';
import { logLines, splitAnsi } from '../../../lib/text/ansi.ts';
import { lineTone } from './line-tone.ts';

/** When a phase of a run began, in milliseconds since 1970. */
export interface PhaseStart {
  readonly phase: string;
  readonly at: number;
}

/** A log as far as it is known. Its lists only grow, and are those of earlier ones. */
export interface LogSnapshot {
  readonly count: number;
  /** With escape sequences of colours. */
  readonly lines: readonly string[];
  /** When each line was printed, in milliseconds since 1970; null where that is not known. */
  readonly times: readonly (number | null)[];
  /** Places of lines that tell of an error. */
  readonly errors: readonly number[];
  readonly phases: readonly PhaseStart[];
}

/** A line as it is read, without its colours. */
export function plainText(line: string): string {
  // Almost all lines are plain; what is left has to be read as a terminal would.
  return /^[\t\x20-\x7e]*$/.test(line)
    ? line
    : splitAnsi(line)
        .map(({ text }) => text)
        .join('');
}

/** Gathers the lines of a log. */
export class LogModel {
  readonly #lines: string[] = [];
  readonly #times: (number | null)[] = [];
  readonly #errors: number[] = [];
  #phases: PhaseStart[] = [];

  get count(): number {
    return this.#lines.length;
  }

  /** @returns false for lines behind a gap, which are left out */
  append({ first, text, at, after, phase }: Omit<LogLinesEvent, 'first'> & { first?: number }): boolean {
    if (first !== undefined && first > this.#lines.length + 1) return false;
    // Known already.
    if (first !== undefined && first <= this.#lines.length) return true;
    const lines = text.split('\n').flatMap((line) => (line === '' ? [''] : logLines(line)));
    for (const [place, line] of lines.entries()) {
      const tone = lineTone(plainText(line));
      if (tone === 'error' || tone === 'failure') this.#errors.push(this.#lines.length);
      this.#lines.push(line);
      this.#times.push(at === null ? null : at + (after[place] ?? 0));
    }
    if (phase !== null && at !== null && this.#phases.at(-1)?.phase !== phase)
      this.#phases = [...this.#phases, { phase, at }];
    return true;
  }

  snapshot(): LogSnapshot {
    return {
      count: this.#lines.length,
      lines: this.#lines,
      times: this.#times,
      errors: this.#errors,
      phases: this.#phases,
    };
  }
}

/** The log that a text is. */
export function logOfText(text: string): LogSnapshot {
  const model = new LogModel();
  if (text !== '') {
    const whole = text.endsWith('\n') ? text.slice(0, -1) : text;
    model.append({ text: whole, at: null, after: [], phase: null });
  }
  return model.snapshot();
}

/** Places of the lines that hold a text, whatever its case. */
export function findLines(log: LogSnapshot, search: string): number[] {
  const found: number[] = [];
  if (search === '') return found;
  const wanted = search.toLowerCase();
  for (let place = 0; place < log.count; place += 1) {
    if (
      plainText(log.lines[place] ?? '')
        .toLowerCase()
        .includes(wanted)
    )
      found.push(place);
  }
  return found;
}

/** The log as a file holds it: no colours, and each line behind its time when that is wanted and known. */
export function logAsText(log: LogSnapshot, withTimes: boolean): string {
  const lines: string[] = [];
  for (let place = 0; place < log.count; place += 1) {
    const at = withTimes ? log.times[place] : null;
    const time = at == null ? '' : `${new Date(at).toISOString()} `;
    lines.push(`${time}${plainText(log.lines[place] ?? '')}\n`);
  }
  return lines.join('');
}
