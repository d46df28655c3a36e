import { isBranchName } from '../repository/names.ts';

const BRANCHES = 'refs/heads/';

/**
 * Branches in the output of `git ls-remote --symref` for HEAD and refs/heads/*, the default branch first. A host that
 * does not tell it (git before 1.8.5) shows by the commit of HEAD which it may be.
 */
export function branchesInListing(listing: string): string[] {
  let head: string | undefined;
  let headId: string | undefined;
  const ids = new Map<string, string>();
  for (const line of listing.split('\n')) {
    const [id = '', ref = ''] = line.split('\t');
    if (ref === 'HEAD' && id.startsWith(`ref: ${BRANCHES}`)) head = id.slice(`ref: ${BRANCHES}`.length);
    else if (ref === 'HEAD') headId = id;
    else if (ref.startsWith(BRANCHES)) ids.set(ref.slice(BRANCHES.length), id);
  }
  const names = [...ids.keys()].filter(isBranchName);
  const likely = [...(head === undefined ? ['main', 'master'] : [head]), ...names];
  const first = likely.find((name) => name === head || (head === undefined && ids.get(name) === headId));
  return [...names.filter((name) => name === first), ...names.filter((name) => name !== first)];
}
