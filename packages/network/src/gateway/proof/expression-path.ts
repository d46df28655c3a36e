import { utf8 } from '@cannery/ic/certification/bytes';
import { type HashTree, lookup } from '@cannery/ic/certification/tree/hash-tree';
import { MAX_SEGMENTS, segmentsOf } from './request-path.ts';
import { VerificationError } from './verification-error.ts';

const PREFIX = 'http_expr';
const EXACT = '<$>';
const WILDCARD = '<*>';

/**
 * Throws `VerificationError` unless `path` is the most specific entry of `tree` for the request: the exact path
 * of the request if the tree may hold it, else the longest wildcard that covers the request.
 * `requestPath` is the percent-decoded path of the URL. Each level of the tree is looked at a fixed number of times.
 */
export function checkExpressionPath(path: readonly string[], requestPath: string, tree: HashTree): void {
  const segments = segmentsOf(requestPath);
  if (Math.max(segments.length, path.length) > MAX_SEGMENTS) {
    throw new VerificationError(`its address has more than ${MAX_SEGMENTS} parts`);
  }
  if (isSame(path, [PREFIX, ...segments, EXACT])) {
    if (statusAt(tree, path) !== 'found') throw missing(path);
    return;
  }
  if (path[0] !== PREFIX || path.at(-1) !== WILDCARD) {
    throw new VerificationError(`expression path ${show(path)} does not match ${requestPath}`);
  }
  const covered = path.slice(1, -1);
  if (!covers(covered, segments)) {
    throw new VerificationError(`expression path ${show(path)} does not cover ${requestPath}`);
  }
  requireMostSpecific(tree, segments, covered);
  if (statusAt(tree, path) !== 'found') throw missing(path);
}

function covers(prefix: readonly string[], segments: readonly string[]): boolean {
  const bare = prefix.at(-1) === '' ? prefix.slice(0, -1) : prefix;
  return [prefix, bare].some((each) => each.every((segment, index) => segments[index] === segment));
}

type Status = 'found' | 'absent' | 'unknown';

/** What the tree holds at each part of the request's path, found in one walk down. */
class Levels {
  readonly #trees: HashTree[] = [];
  /** How the tree answers for everything below the last level. */
  #below: Status = 'absent';

  constructor(tree: HashTree, segments: readonly string[]) {
    let current = tree;
    for (const label of [PREFIX, ...segments]) {
      const found = lookup(current, [utf8(label)]);
      if (found.status !== 'found') {
        this.#below = found.status;
        return;
      }
      current = found.tree;
      this.#trees.push(current);
    }
  }

  /** The status of `labels` below the first `depth` parts of the path. */
  status(depth: number, ...labels: readonly string[]): Status {
    const tree = this.#trees[depth];
    return tree === undefined ? this.#below : statusAt(tree, labels);
  }
}

/** Checks that the tree holds neither the exact path nor a wildcard that says more of the request than `covered`. */
function requireMostSpecific(tree: HashTree, segments: readonly string[], covered: readonly string[]): void {
  const levels = new Levels(tree, segments);
  const requireAbsent = (depth: number, ...labels: readonly string[]): void => {
    if (levels.status(depth, ...labels) === 'absent') return;
    const path = show([PREFIX, ...segments.slice(0, depth), ...labels]);
    throw new VerificationError(`expression path ${path} is more specific and may be in the tree`);
  };
  requireAbsent(segments.length, EXACT);
  // From the whole path upwards, each part as a file and as a folder, whose address ends with an empty part.
  let isFolder = segments.at(-1) === '';
  let depth = isFolder ? segments.length - 1 : segments.length;
  const isReached = (): boolean => {
    const last = isFolder ? '' : segments[depth - 1];
    return depth + Number(isFolder) <= covered.length && last === covered.at(-1);
  };
  while (!isReached() && (depth > 0 || isFolder)) {
    if (isFolder) requireAbsent(depth, '', WILDCARD);
    else requireAbsent(depth, WILDCARD);
    if (!isFolder) depth -= 1;
    isFolder = !isFolder;
  }
}

function statusAt(tree: HashTree, path: readonly string[]): Status {
  return lookup(tree, path.map(utf8)).status;
}

function missing(path: readonly string[]): VerificationError {
  return new VerificationError(`expression path ${show(path)} is not in the tree`);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((segment, index) => segment === b[index]);
}

function show(path: readonly string[]): string {
  return path.slice(0, 200).join('/').slice(0, 200);
}
