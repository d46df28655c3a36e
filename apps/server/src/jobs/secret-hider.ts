import { SHORTEST_SECRET } from '@cannery/contract';
import { GAP } from '../builders/process/cut-line.ts';
import { SecretEnds } from './secret-ends.ts';
import { type Letters, lettersOf, secretForms } from './secret-forms.ts';

export const HIDDEN = '[hidden]';
/** So much of the beginning of a secret is a secret itself. It bounds the work for a character, too. */
const TELLING_START = 24;
/** Fewer characters of a secret at the end of a cut line tell nothing of it. */
const LEAST_START = 4;
/** Lines over which one secret may go. */
const MOST_LINES = 64;

/** How far a text agrees with the forms: those of `low` up to `high` begin with what was read, `depth` letters. */
interface Reading {
  readonly low: number;
  readonly high: number;
  readonly depth: number;
  /** Letters of the longest whole form that was read; 0 while there is none. */
  readonly whole: number;
}

/** A line, or the part of one from where it was cut in its middle. */
interface Line {
  readonly text: string;
  readonly letters: Letters;
  /** What is shown of the line before this part. */
  readonly shown: string;
}

/** What is hidden of a line, in letters: from the first up to, but without, the second. */
type Span = readonly [number, number];

/** A line at whose end a secret may have begun. */
interface Open {
  readonly line: Line;
  readonly spans: readonly Span[];
  readonly from: number;
  readonly reading: Reading;
  /** Those before it, over which the same secret goes. */
  readonly earlier: readonly Open[];
}

export interface HiddenLine {
  readonly text: string;
  /** The lines before, when a secret that began at the end of the first of them goes on up to this one. */
  readonly before?: readonly string[];
}

/**
 * Takes secrets out of the lines of one log, in whatever case, with whatever spaces and colours between, and over the end of a line. The
 * work for a character does not grow with the number of secrets (but for a logarithm) nor with the length of the line.
 */
export class SecretHider {
  /** Letters of each form, in order. */
  readonly #forms: readonly string[];
  /** Which first two letters a form has, by a hash. */
  readonly #firsts = new Uint8Array(65_536);
  /** Forms that are little but spaces: they are hidden as they stand. */
  readonly #spaced: readonly string[];
  #open: Open | undefined;
  #ends: SecretEnds | undefined;

  constructor(secrets: readonly string[]) {
    const forms = secretForms(secrets);
    const letters = new Set(forms.map((form) => lettersOf(form).text));
    this.#forms = [...letters]
      .filter((form) => form.length >= SHORTEST_SECRET)
      .toSorted((a, b) => (a < b ? -1 : 1));
    this.#spaced = forms.filter((form) => lettersOf(form).text.length < SHORTEST_SECRET);
    for (const form of this.#forms) this.#firsts[pairAt(form, 0)] = 1;
  }

  hide(given: string): HiddenLine {
    if (this.#forms.length === 0 && this.#spaced.length === 0) return { text: given };
    const text = this.#spaced.reduce((line, form) => line.replaceAll(form, HIDDEN), given);
    const parts = text.split(GAP);
    const marks = text.match(GAP) ?? [];
    let before: readonly string[] | undefined;
    let shown = '';
    for (const [index, part] of parts.entries()) {
      const line = { text: part, letters: lettersOf(part), shown };
      const isCut = index < marks.length;
      const spans: Span[] = [];
      if (index === 0) before = this.#goOn(line, spans, isCut);
      else this.#hideEnd(line, spans);
      this.#read(line, spans, isCut);
      shown = withoutSpans(line, spans) + (marks[index] ?? '');
    }
    return before === undefined ? { text: shown } : { text: shown, before };
  }

  /** Reads on where the line before ended. @returns the lines that have to be written again */
  #goOn(line: Line, spans: Span[], isCut: boolean): string[] | undefined {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return undefined;
    const { text } = line.letters;
    const reading = this.#readOn(text, 0, open.reading);
    const read = reading.depth - open.reading.depth;
    const found = hiddenLetters(reading) - open.reading.depth;
    if (found > 0) spans.push([0, found]);
    const lines = [...open.earlier, open];
    if (read === text.length && !isCut)
      this.#open = { line, spans: [], from: 0, reading, earlier: lines.slice(1 - MOST_LINES) };
    if (found <= 0) return undefined;
    return lines.map((one) =>
      withoutSpans(one.line, [...one.spans, [one.from, one.line.letters.text.length]]),
    );
  }

  /** Hides, where what is before it was left out, what may be the end of a secret. */
  #hideEnd({ letters }: Line, spans: Span[]): void {
    this.#ends ??= new SecretEnds(this.#forms, LEAST_START);
    const found = this.#ends.lengthIn(letters.text);
    if (found > 0) spans.push([0, found]);
  }

  #read(line: Line, spans: Span[], isCut: boolean): void {
    const { text } = line.letters;
    for (let at = spans[0]?.[1] ?? 0; at < text.length; at += 1) {
      if (at + 1 < text.length && this.#firsts[pairAt(text, at)] === 0) continue;
      const reading = this.#readOn(text, at, { low: 0, high: this.#forms.length, depth: 0, whole: 0 });
      const found = hiddenLetters(reading);
      const isOpen = reading.depth > 0 && at + reading.depth === text.length;
      // The first that is open at the end counts; later ones are within it.
      if (isOpen && !isCut) this.#open ??= { line, spans: [...spans], from: at, reading, earlier: [] };
      if (found > 0) {
        spans.push([at, at + found]);
        at += found - 1;
      } else if (isOpen && isCut && reading.depth >= LEAST_START) {
        spans.push([at, text.length]);
        return;
      }
    }
  }

  /** Narrows the forms letter by letter, as long as one agrees. */
  #readOn(text: string, from: number, start: Reading): Reading {
    let { low, high, depth, whole } = start;
    for (let at = from; at < text.length; at += 1) {
      const letter = text.charCodeAt(at);
      const first = this.#firstFrom(low, high, depth, letter);
      const end = this.#firstFrom(first, high, depth, letter + 1);
      if (first === end) break;
      [low, high, depth] = [first, end, depth + 1];
      // The shortest of those that begin alike comes first.
      if (this.#forms[low]?.length === depth) whole = depth;
    }
    return { low, high, depth, whole };
  }

  /** The first form of a range whose letter at a depth is not below the given one. */
  #firstFrom(low: number, high: number, depth: number, letter: number): number {
    let [from, to] = [low, high];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const form = this.#forms[middle] ?? '';
      // A form that ends here comes before all that go on.
      if (depth >= form.length || form.charCodeAt(depth) < letter) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** How much of what was read is to be hidden: a whole form, or a beginning that tells too much. */
function hiddenLetters({ depth, whole }: Reading): number {
  return depth >= TELLING_START ? depth : whole;
}

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 255) << 8) | (text.charCodeAt(at + 1) & 255);
}

/** The text of a line, with each span of letters replaced. */
function withoutSpans({ text, letters, shown: before }: Line, spans: readonly Span[]): string {
  let shown = before;
  let end = 0;
  for (const [from, to] of spans) {
    if (from === to) continue;
    shown += text.slice(end, letters.placeOf(from)) + HIDDEN;
    end = letters.placeOf(to - 1) + 1;
  }
  return shown + text.slice(end);
}
