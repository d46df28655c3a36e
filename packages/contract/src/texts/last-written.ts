/**
 * What a terminal would leave standing of a line that returns to its start: the text after the last carriage return. Those at
 * the end return to nothing yet. Each character is looked at once.
 */
export function lastWritten(line: string): string {
  return line.split('\r').findLast((part) => part !== '') ?? '';
}
