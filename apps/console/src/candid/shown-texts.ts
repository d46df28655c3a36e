/** A duration as people read it: `12 ms`, `1.3 s`. */
export function durationText(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** A number of bytes as people read it: `1 byte`, `1,234 bytes`. */
export function bytesText(length: number): string {
  return length === 1 ? '1 byte' : `${length.toLocaleString('en-US')} bytes`;
}

/** A text of this many characters at most; of a longer one the beginning, marked by an ellipsis. */
export function beginningOf(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
