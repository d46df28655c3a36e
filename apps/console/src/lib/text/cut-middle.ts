/** Cuts a long id or hash in its middle: the first `head` and the last `tail` characters stay. */
export function cutMiddle(text: string, head: number, tail: number): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}
