import { SECRET_SHAPES } from '../log/secret-shapes.ts';
import { HIDDEN, type SecretHider } from './secret-hider.ts';
import { ESCAPES, withoutControls } from './visible-text.ts';

/** What every shape of a secret has in it. */
const MAYBE_SECRET = /_|-|Bearer |Basic |:\/\//i;

/** Lines as they may be stored and shown: no secret, no escape sequence but colours, no invisible character. */
export interface CleanLine {
  readonly text: string;
  /** The lines before once more, when a secret that began in the first of them goes on up to this one. */
  readonly before?: readonly string[];
}

/** Cleans the next line of a log. @param hider knows the secrets of the log, and its line before; undefined where there are none */
export function cleanLine(text: string, hider?: SecretHider): CleanLine {
  const line = withoutControls(text);
  if (hider === undefined) return { text: withoutShapes(line) };
  const hidden = hider.hide(line);
  const { before } = hidden;
  const shown = withoutShapes(hidden.text);
  return before === undefined ? { text: shown } : { text: shown, before: before.map(withoutShapes) };
}

function withoutShapes(text: string): string {
  if (!MAYBE_SECRET.test(text)) return text;
  let line = text;
  for (const shape of SECRET_SHAPES) line = line.replaceAll(shape, HIDDEN);
  return line;
}

/** A text of a tenant as it may be shown in one line: no control characters, no colours, nothing that hides or turns it. */
export function plainLine(text: string): string {
  return withoutControls(text).replaceAll(ESCAPES, '').replaceAll('\x1b', '');
}
