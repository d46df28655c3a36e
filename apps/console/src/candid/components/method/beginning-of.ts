/** A text of this many characters at most; of a longer one the beginning, marked by an ellipsis. */
export function beginningOf(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
