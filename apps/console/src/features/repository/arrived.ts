import type { Repository } from '@cannery/contract';
import { useState } from 'react';

const keyOf = ({ owner, name }: Repository): string => `${owner.login}/${name}`;
/** The first push makes a repository before it brings anything; one that has a branch has something in it. */
const isFilled = ({ default_branch: branch }: Repository): boolean => branch !== null;

/** Those of a list that have got their first push since it was looked at first. @param before keys of those that had one */
export function arrivedSince(
  before: ReadonlySet<string>,
  list: readonly Repository[],
): readonly Repository[] {
  return list.filter((repository) => isFilled(repository) && !before.has(keyOf(repository)));
}

/** Keys of those that have something in them. */
export function filledIn(list: readonly Repository[]): ReadonlySet<string> {
  return new Set(list.filter(isFilled).map(keyOf));
}

/** Repositories that have arrived while the page is open. @param list undefined while it is not known */
export function useArrived(list: readonly Repository[] | undefined): readonly Repository[] {
  const [before, setBefore] = useState<ReadonlySet<string>>();
  if (before === undefined && list !== undefined) setBefore(filledIn(list));
  return before === undefined || list === undefined ? [] : arrivedSince(before, list);
}
