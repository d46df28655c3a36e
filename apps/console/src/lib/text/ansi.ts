import { lastWritten } from '@cannery/contract';

const ansiColours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
export type AnsiColour = (typeof ansiColours)[number];

/** A stretch of a log line in one look. */
export interface AnsiSpan {
  readonly text: string;
  readonly colour?: AnsiColour;
  readonly bold?: boolean;
  readonly dim?: boolean;
}

type Look = Omit<AnsiSpan, 'text'>;

// oxlint-disable-next-line no-control-regex -- escape sequences are what this reads: SGR is kept, every other one is dropped.
const escape = /\u001b(?:\[([0-9;:?<=>]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_]?)/g;
// oxlint-disable-next-line no-control-regex -- control characters other than tab, and marks that turn the reading direction, would hide text.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function applyCode(look: Look, code: number): Look {
  if (code === 0) return {};
  if (code === 1) return { ...look, bold: true };
  if (code === 2) return { ...look, dim: true };
  if (code === 22) return { ...look, bold: undefined, dim: undefined };
  if (code === 39) return { ...look, colour: undefined };
  if (code >= 30 && code <= 37) return { ...look, colour: ansiColours[code - 30] };
  if (code >= 90 && code <= 97) return { ...look, colour: ansiColours[code - 90] };
  return look;
}

function applySequence(look: Look, parameters: string): Look {
  const codes = parameters.split(/[;:]/).map(Number);
  let next = look;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    // 38 and 48 start an extended colour: `5;n` or `2;r;g;b`; the palette of the page has no such colours.
    if (code === 38 || code === 48) index += codes[index + 1] === 2 ? 4 : 2;
    else next = applyCode(next, code);
  }
  return next;
}

/** Splits a log line into stretches of one look; colours are names of tokens, unknown sequences vanish. */
export function splitAnsi(line: string): AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  const text = lastWritten(line);
  let look: Look = {};
  let from = 0;
  const push = (part: string): void => {
    const visible = part.replace(hidden, '');
    if (visible !== '') spans.push({ text: visible, ...look });
  };
  for (const match of text.matchAll(escape)) {
    push(text.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[2] === 'm') look = applySequence(look, match[1] ?? '');
  }
  push(text.slice(from));
  return spans;
}

/** Lines longer than this are cut on screen, since laying them out would stop the page. */
export const MAX_LINE_LENGTH = 8_000;

/** The lines of a log, without the empty one behind the last line break. */
export function logLines(log: string): string[] {
  if (log === '') return [];
  const lines = log.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)} …` : line));
}
