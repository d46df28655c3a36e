import { utf8 } from '../certification/bytes.ts';
import { type HashTree, lookup } from '../certification/hash-tree.ts';
import { VerificationError } from './verification-error.ts';

const PREFIX = 'http_expr';
const EXACT = '<$>';
const WILDCARD = '<*>';

/**
 * Throws `VerificationError` unless `path` is the most specific entry of `tree` for the request: the exact path
 * of the request if the tree may hold it, else the longest wildcard that covers the request.
 * `requestPath` is the percent-decoded path of the URL.
 */
export function checkExpressionPath(path: readonly string[], requestPath: string, tree: HashTree): void {
  const segments = requestSegments(requestPath);
  const exact = [PREFIX, ...segments, EXACT];
  if (isSame(path, exact)) return requireStatus(tree, path, 'found');
  if (path[0] !== PREFIX || path.at(-1) !== WILDCARD) {
    throw new VerificationError(`expression path ${show(path)} does not match ${requestPath}`);
  }
  const covered = path.slice(1, -1);
  if (!covers(covered, segments)) {
    throw new VerificationError(`expression path ${show(path)} does not cover ${requestPath}`);
  }
  requireStatus(tree, exact, 'absent');
  for (const prefix of longerPrefixes(segments, covered)) {
    requireStatus(tree, [PREFIX, ...prefix, WILDCARD], 'absent');
  }
  requireStatus(tree, path, 'found');
}

/** `/app` and `/app/` differ: the second ends with an empty segment. */
function requestSegments(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  return path.endsWith('/') ? [...segments, ''] : segments;
}

function covers(prefix: readonly string[], segments: readonly string[]): boolean {
  const bare = prefix.at(-1) === '' ? prefix.slice(0, -1) : prefix;
  return [prefix, bare].some((each) => each.every((segment, index) => segments[index] === segment));
}

/** Prefixes of the request more specific than `covered`, each one as a file and as a directory. */
function longerPrefixes(segments: readonly string[], covered: readonly string[]): string[][] {
  const prefixes: string[][] = [];
  let prefix = [...segments];
  while (prefix.length > covered.length || prefix.at(-1) !== covered.at(-1)) {
    prefixes.push(prefix);
    prefix = prefix.at(-1) === '' ? prefix.slice(0, -1) : [...prefix.slice(0, -1), ''];
    if (prefix.length === 0) break;
  }
  return prefixes;
}

function requireStatus(tree: HashTree, path: readonly string[], wanted: 'found' | 'absent'): void {
  const { status } = lookup(tree, path.map(utf8));
  if (status === wanted) return;
  const problem = wanted === 'found' ? 'is not in the tree' : 'is more specific and may be in the tree';
  throw new VerificationError(`expression path ${show(path)} ${problem}`);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((segment, index) => segment === b[index]);
}

function show(path: readonly string[]): string {
  return path.join('/').slice(0, 200);
}
