import type { BodyOf, repositoryEndpoints } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { ownerOf } from '../../git/repository/owner.ts';
import { pageAddress, pagePath } from './page-address.ts';
import { issuePageTicket } from './page-tickets.ts';

/**
 * An address at which the browser sees a page of the user's own account or repository, once.
 * @throws AppError not_found for what is not the user's
 */
export async function openPage(
  ctx: AppContext,
  user: Actor,
  asked: BodyOf<typeof repositoryEndpoints.openPage> & { token: string },
): Promise<{ address: string }> {
  const owner = ownerOf(user);
  if (asked.owner !== undefined && asked.owner.toLowerCase() !== owner.toLowerCase()) throw notFound('Page');
  const repo = asked.repo?.replace(/\.git$/, '');
  if (repo !== undefined && (await ctx.git.readable(owner, repo, user)) === null) throw notFound('Page');
  const name = { owner, repo, branch: repo === undefined ? undefined : asked.branch };
  const { token } = asked;
  const ticket = await ctx.transact((tx) => issuePageTicket(tx, { token, path: pagePath(name) }));
  return { address: pageAddress(name, asked.deploy_type, ticket) };
}
