import type { PackageSource } from './dependency.ts';

/** A tag that ends with a version, such as 'v1.2.0' or 'release-v1.2.0'. */
const TAG = /v(\d{1,4}\.\d{1,4}\.\d{1,4})(?:-.*)?$/;

function numbersOf(version: string): number[] {
  return version.split('.', 3).map((part) => Number.parseInt(part, 10) || 0);
}

/** Compares two versions by their three numbers, as mops does: below 0 when `a` is the lower one. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (const at of [0, 1, 2]) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Whether `next` counts more than `current`, when two packages ask for the same one: the higher version does. A tag
 * without a version counts less than any with one.
 */
export function isHigher(next: PackageSource, current: PackageSource): boolean {
  if (next.kind === 'git' && current.kind === 'git') {
    const [from, to] = [TAG.exec(current.git.ref)?.[1], TAG.exec(next.git.ref)?.[1]];
    return from === undefined || (to !== undefined && compareVersions(from, to) < 0);
  }
  const versionOf = (source: PackageSource): string => (source.kind === 'registry' ? source.version : '');
  return compareVersions(versionOf(current), versionOf(next)) < 0;
}
