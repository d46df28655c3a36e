import { type BodyOf, type DeployType, PAGE_TICKET, type repositoryEndpoints } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { ownerOf } from '../../git/repository/owner.ts';
import { issuePageTicket } from './page-tickets.ts';

/** What a page for people shows: an account, or a repository of it, at a branch. */
interface PageName {
  readonly owner: string;
  readonly repo: string | undefined;
  readonly branch: string | undefined;
}

/** Decoded path of a page; a ticket is for one of them. */
function pagePath({ owner, repo, branch }: PageName): string {
  return [
    owner,
    ...(repo === undefined ? [] : [repo]),
    ...(branch === undefined ? [] : ['tree', branch]),
  ].join('/');
}

/** The address of a page with the ticket that opens it. */
function pageAddress(name: PageName, deployType: DeployType | undefined, ticket: string): string {
  const path = pagePath(name).split('/').map(encodeURIComponent).join('/');
  const query = new URLSearchParams(deployType === undefined ? {} : { type: deployType });
  query.set(PAGE_TICKET, ticket);
  return `/${path}?${query}`;
}

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
