import { type BodyOf, type DeployType, PAGE_TICKET, type repositoryEndpoints } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import type { Reader, Tx } from '../../db/tx.ts';
import { notFound } from '../../errors.ts';
import type { GitUser } from '../../git/repository/git-host.ts';
import { ownerOf } from '../../git/repository/names.ts';
import { hashSecret, newSecret } from '../../secrets.ts';

/** The browser follows the address at once; a slow one gets another ticket by opening the page again. */
const TICKET_MS = 30_000;

/** Issues a ticket that opens one page once. @param page.token the bearer token of the session that asks */
async function issuePageTicket(tx: Tx, page: { token: string; path: string }): Promise<string> {
  const ticket = newSecret();
  await tx
    .insertInto('page_tickets')
    .values({
      ticket_hash: hashSecret(ticket),
      session_hash: hashSecret(page.token),
      path: page.path,
      expires_at: new Date(Date.now() + TICKET_MS),
    })
    .execute();
  return ticket;
}

/** The user a ticket was issued to; undefined when it is unknown, used, expired, or for another page. */
export async function usePageTicket(
  tx: Tx,
  page: { ticket: string; path: string },
): Promise<GitUser | undefined> {
  const taken = await tx
    .deleteFrom('page_tickets')
    .where('ticket_hash', '=', hashSecret(page.ticket))
    .returning(['session_hash', 'path', 'expires_at'])
    .executeTakeFirst();
  if (taken === undefined || taken.path !== page.path || taken.expires_at <= new Date()) return undefined;
  return userOf(tx, taken.session_hash);
}

async function userOf(db: Reader, sessionHash: string): Promise<GitUser | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.username'])
    .where('token_hash', '=', sessionHash)
    .where('sessions.expires_at', '>', new Date())
    .executeTakeFirst();
}

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
