/** Characters that turn the reading direction or cannot be seen: a file with them may do something else than it seems to. */
const HIDDEN = /[\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]/g;

/** A source text in which nothing hides: such characters are shown by their numbers. */
export function visibleCode(text: string): string {
  return text.replaceAll(
    HIDDEN,
    (character) => `⟪U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟫`,
  );
}

/** How many lines a text has; a line break at its end begins none. */
export function lineCount(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
