import { type LeftOut, leftOutText } from '@cannery/contract';
import type { LeftOutCanister } from '../../../builders/project/left-out.ts';
import { warningLines } from '../../../builders/site/site-warning.ts';
import type { PublishedCanister } from '../publish/publish-artifact.ts';
import type { RunOutcome } from '../store/run-store.ts';

/** What a run leaves out, for its row; null for nothing. */
export function leftOutOfRun(deployed: number, left: readonly LeftOutCanister[]): LeftOut | null {
  if (left.length === 0) return null;
  const canisters = left.map(({ name, type, neededBy }) => ({ name, type, needed_by: neededBy }));
  return { of: deployed + left.length, canisters };
}

/** The end of the log of a run that is live: what the check of its websites found, where to look at it, and what it leaves out. */
export function lastLines(
  published: readonly PublishedCanister[],
  left: readonly LeftOutCanister[],
  { leftOut, warnings }: RunOutcome,
): string[] {
  const several = published.length > 1;
  const live = published.map(({ name, kind, address }) => {
    if (several) return `${name}: ${address}`;
    return kind === 'site' ? `The site is live: ${address}` : `Call the canister: ${address}`;
  });
  const reasons = left.map(({ name, reason }) => `Not deployed: ${name}. ${reason}`);
  return [
    ...warningLines(warnings),
    ...live,
    ...reasons,
    ...(leftOut === null ? [] : [`Live, ${leftOutText(leftOut)}.`]),
  ];
}
