/** Characters of a description that a card has room for. */
const SHOWN = 30;

/** A description cut for a card: its first 30 characters and '...', or all of it when it is not longer. */
export function shortDescription(text: string): string {
  // By characters, not by halves of them.
  const characters = Array.from(text);
  return characters.length <= SHOWN ? text : `${characters.slice(0, SHOWN).join('')}...`;
}
