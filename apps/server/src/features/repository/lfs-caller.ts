import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { userTenant } from '../../fairness/callers.ts';
import type { LfsObject } from '../../git/lfs/lfs-object.ts';
import type { GitUser } from '../../git/repository/git-host.ts';
import { ownerOf } from '../../git/repository/names.ts';
import type { BareRepository } from '../../git/repository/repository-folder.ts';
import { basicPassword } from '../../http/limits/sender.ts';
import { repositoryFor } from './git-routes.ts';
import { userOfToken } from './token-store.ts';

export interface RepositoryParams {
  owner: string;
  repo: string;
}

export interface ObjectParams extends RepositoryParams {
  oid: string;
  size: string;
}

export type Call<P = RepositoryParams> = FastifyRequest<{ Params: P }>;

/** A request whose sender is known. */
export interface Caller {
  readonly user: GitUser;
  readonly tenant: string;
  readonly credential: string;
}

/** @throws AppError unauthenticated, with the headers that make a client ask for a password */
export async function callerOf(
  ctx: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const credential = basicPassword(request);
  const user =
    credential === undefined
      ? undefined
      : await ctx.callLimiter.identify({ credential, address: request.ip }, (token) =>
          userOfToken(ctx.db, token),
        );
  if (credential !== undefined && user !== undefined)
    return { user, credential, tenant: userTenant(user.id) };
  const challenge = 'Basic realm="Cannery", charset="UTF-8"';
  reply.header('www-authenticate', challenge).header('lfs-authenticate', challenge);
  throw new AppError(
    'unauthenticated',
    `Use an access token as the password; create one at ${ctx.addresses.publicUrl}/ics/account.`,
  );
}

/** @throws AppError repository_not_found for one that is not there, or not the caller's */
export async function named(
  ctx: AppContext,
  { user }: Caller,
  { params: { owner, repo } }: Call,
  isPush = false,
): Promise<BareRepository> {
  const repository = repo.endsWith('.git')
    ? await repositoryFor(ctx, user, owner, repo.slice(0, -'.git'.length), isPush)
    : null;
  if (repository !== null) return repository;
  throw new AppError(
    'repository_not_found',
    `Repository not found. Your repositories are at ${ctx.addresses.publicUrl}/${ownerOf(user)}/{name}.git.`,
  );
}

/** The same for one that somebody else has, or nobody. */
export function noObject({ oid, size }: LfsObject): AppError {
  return new AppError('not_found', `The repository has no object ${oid} of ${size} bytes.`);
}
