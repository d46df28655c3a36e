/**
 * Lines that a proxy adds to tell where a request came from and to follow it. They say nothing of what is wanted, and nothing of
 * where a request begins or ends.
 */
const FROM_WHERE = [
  'cf-connecting-ip',
  'cf-ray',
  'forwarded',
  'traceparent',
  'true-client-ip',
  'x-amzn-trace-id',
  'x-forwarded-for',
  'x-real-ip',
  'x-request-id',
];
const FROM_WHERE_LINE = /\r\n(?:cf-|forwarded|t|x-)[a-z-]*: ?[\x20-\x7e]*(?=\r\n)/gi;

/** A head that everybody reads alike: a GET or HEAD with plain lines, each with a name, and the empty line at its end. */
const PLAIN_HEAD = /^(?:GET|HEAD) [!-~]+ HTTP\/1\.[01]\r\n(?:[A-Za-z0-9_-]+:[\t\x20-\x7e]*\r\n)+\r\n$/;

/**
 * By what an answer is found again: the head of its request as it came, byte by byte. The canister would see the same, but for
 * where it came from.
 */
export function keyOf(head: string): string {
  return head.replace(FROM_WHERE_LINE, (line) => (isFromWhere(line) ? '' : line));
}

function isFromWhere(line: string): boolean {
  return FROM_WHERE.includes(line.slice('\r\n'.length, line.indexOf(':')).toLowerCase());
}

/** Whether a key is that of a request which everybody reads alike. */
export function isPlainKey(key: string): boolean {
  return PLAIN_HEAD.test(key);
}

/** Whether an answer with this `Vary` header depends on what its key leaves out. */
export function variesByFromWhere(vary: string): boolean {
  return vary
    .toLowerCase()
    .split(',')
    .some((name) => name.trim() === '*' || FROM_WHERE.includes(name.trim()));
}
