import type { FastifyRequest } from 'fastify';
import type { AppContext } from '../../context.ts';
import { userTenant } from '../../fairness/callers.ts';
import type { EmbeddedGitHost } from '../../git/host/embedded-host.ts';
import type { GitUser } from '../../git/repository/git-host.ts';
import { knowUser } from '../../log/request-context.ts';
import { methodOf, routeOf } from '../../http/watch-requests.ts';
import { basicPassword } from '../../http/limits/sender.ts';
import { userOfToken } from './token-store.ts';

/** What makes a client of git ask for a password. */
export const CHALLENGE = 'Basic realm="Cannery", charset="UTF-8"';

/** A request whose sender is known. */
export interface Caller {
  readonly user: GitUser;
  readonly tenant: string;
  /** The access token, whose use is written down; null where another process has looked at it. */
  readonly credential: string | null;
}

/** Says who sends a request to the git host; 'nobody' without an access token, 'unknown' with one that is not valid. */
type FindCaller = (request: FastifyRequest) => Promise<Caller | 'nobody' | 'unknown'>;

/** What serves repositories over HTTP: the process that has them, and how it knows who asks. */
export interface HostedContext extends AppContext {
  readonly git: EmbeddedGitHost;
  readonly findCaller: FindCaller;
}

/** Who sends a request to the git host; 'nobody' without an access token, 'unknown' with one that is not valid. */
export async function findCaller(
  ctx: AppContext,
  request: FastifyRequest,
): Promise<Caller | 'nobody' | 'unknown'> {
  const credential = basicPassword(request);
  if (credential === undefined) return 'nobody';
  const user = await ctx.callLimiter.identify({ credential, address: request.ip }, (token) =>
    userOfToken(ctx.db, token),
  );
  if (user === undefined) {
    ctx.security.note('git_credential_refused', { method: methodOf(request), route: routeOf(request) });
    return 'unknown';
  }
  const { tokenId: token, ...known } = user;
  knowUser(user.id);
  ctx.security.noteUse('git_token_used', { token, user: user.id });
  return { user: known, credential, tenant: userTenant(user.id) };
}

/** What somebody has to do to be known. */
export function tokenHint({ addresses }: Pick<AppContext, 'addresses'>): string {
  return `Use an access token as the password; create one at ${addresses.publicUrl}/ics/account.`;
}
