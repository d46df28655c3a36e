/** The mark in a line of which only the front and the end are kept. */
export const GAP = / … \(\d{1,15} characters left out\) … /g;

/** @param count of characters that are not kept */
export function gapOf(count: number): string {
  return ` … (${count} characters left out) … `;
}

/** A text of which no more than its front and its end are kept, of these lengths. */
export function withoutMiddle(text: string, front: number, end: number): string {
  const count = text.length - front - end;
  return count <= 0 ? text : text.slice(0, front) + gapOf(count) + text.slice(text.length - end);
}
