// Finds the links of a style for the site check, in one pass: every search goes on from where the last one ended.

/** Longer values are no links that somebody has written: they hold data. */
const LONGEST = 2_048;
/** The character at which those end that cannot be seen. */
const SPACE = 0x20;

/**
 * The addresses in `url(…)` of a style, as they are written.
 * @param {string} text
 * @returns {Generator<string>}
 */
export function* linksOfStyle(text) {
  const marks = /\/\*|["']|url\(/gi;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const after = marks.lastIndex;
    if (mark[0] === '/*') {
      const end = text.indexOf('*/', after);
      if (end < 0) return;
      marks.lastIndex = end + 2;
    } else if (mark[0].length === 1) {
      marks.lastIndex = endOfString(text, after, mark[0]) + 1;
    } else {
      let start = after;
      while (text.charCodeAt(start) <= SPACE) start += 1;
      const quote = text.charAt(start);
      const isQuoted = quote === '"' || quote === "'";
      const end = isQuoted ? endOfString(text, start + 1, quote) : text.indexOf(')', start);
      if (end < 0) return;
      marks.lastIndex = end + 1;
      const isWhole = !isQuoted || text.charAt(end) === quote;
      if (isWhole && end - start <= LONGEST) yield text.slice(isQuoted ? start + 1 : start, end).trim();
    }
  }
}

/** Where a string of a style ends: at its quote, or with its line. @param {string} text @param {number} from @param {string} quote */
function endOfString(text, from, quote) {
  const marks = /["'\\\n]/g;
  marks.lastIndex = from;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === quote || mark[0] === '\n') return mark.index;
    if (mark[0] === '\\') marks.lastIndex += 1;
  }
  return text.length;
}
