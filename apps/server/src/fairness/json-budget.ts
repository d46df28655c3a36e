/** What JSON of somebody may hold, at most. */
export interface JsonBudget {
  /** Lists and objects in each other. */
  readonly depth: number;
  /** Entries of lists and fields of objects, in all. */
  readonly values: number;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether a text of JSON keeps to a budget, seen in one pass without making any value of it: a megabyte of lists in each other takes
 * a parser a quarter of a second and thirty times its length of memory. A text that is no JSON may be within it.
 */
export function isWithinJsonBudget(text: string, { depth: deepest, values: most }: JsonBudget): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === COMMA) values += 1;
    else if (code === LIST || code === OBJECT) {
      depth += 1;
      values += 1;
    } else if (code === LIST_END || code === OBJECT_END) depth -= 1;
    if (depth > deepest || values > most) return false;
  }
  return true;
}

/** Where the text that begins at `start` ends: the place of its last quote, or the length. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}
