/**
 * Where canister code is entered, with the abbreviations of the interface specification ("Overview of imports"):
 * I init and post-upgrade, G pre-upgrade, U update, RQ query in replicated mode, NRQ query, TQ transform of an HTTP
 * outcall, CQ composite query,
 * Ry/Rt reply/reject callback, CRy/CRt the same of a composite query, C/CC cleanup, s start function,
 * F inspect message, T system task.
 */
export type EntryPoint =
  | 'I'
  | 'G'
  | 'U'
  | 'RQ'
  | 'NRQ'
  | 'TQ'
  | 'CQ'
  | 'Ry'
  | 'Rt'
  | 'CRy'
  | 'CRt'
  | 'C'
  | 'CC'
  | 's'
  | 'F'
  | 'T';

/** The replica's names of the entry points, for error texts. */
export const ENTRY_POINT_NAMES: Readonly<Record<EntryPoint, string>> = {
  I: 'init',
  G: 'pre upgrade',
  U: 'update',
  RQ: 'replicated query',
  NRQ: 'non replicated query',
  TQ: 'non replicated query',
  CQ: 'composite query',
  Ry: 'reply callback',
  Rt: 'reject callback',
  CRy: 'composite reply callback',
  CRt: 'composite reject callback',
  C: 'cleanup',
  CC: 'composite cleanup',
  s: 'start',
  F: 'inspect message',
  T: 'system task',
};

const EVERYWHERE: readonly EntryPoint[] = [
  'I',
  'G',
  'U',
  'RQ',
  'NRQ',
  'TQ',
  'CQ',
  'Ry',
  'Rt',
  'CRy',
  'CRt',
  'C',
  'CC',
  'F',
  'T',
];

/** Parses a column of the specification's table: names separated by spaces; `*` is all but `s`. */
export function entryPoints(list: string): ReadonlySet<EntryPoint> {
  const names = list.split(' ').flatMap((name) => (name === '*' ? EVERYWHERE : [name as EntryPoint]));
  return new Set(names);
}

/** Entry points that run outside replicated execution: nothing they do is kept. */
export function isReplicated(entry: EntryPoint): boolean {
  return !['NRQ', 'TQ', 'CQ', 'CRy', 'CRt', 'CC', 'F'].includes(entry);
}
