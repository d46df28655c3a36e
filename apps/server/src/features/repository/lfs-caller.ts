import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { LfsObject } from '../../git/lfs/lfs-object.ts';
import { ownerOf } from '../../git/repository/names.ts';
import type { BareRepository } from '../../git/repository/repository-folder.ts';
import { type Caller, CHALLENGE, type HostedContext, tokenHint } from './git-caller.ts';
import { repositoryFor } from './git-routes.ts';

export interface RepositoryParams {
  owner: string;
  repo: string;
}

export interface ObjectParams extends RepositoryParams {
  oid: string;
  size: string;
}

export type Call<P = RepositoryParams> = FastifyRequest<{ Params: P }>;

/** @throws AppError unauthenticated, with the headers that make a client ask for a password */
export async function callerOf(
  ctx: Pick<HostedContext, 'findCaller' | 'addresses'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const caller = await ctx.findCaller(request);
  if (typeof caller !== 'string') return caller;
  reply.header('www-authenticate', CHALLENGE).header('lfs-authenticate', CHALLENGE);
  throw new AppError('unauthenticated', tokenHint(ctx));
}

/** @throws AppError repository_not_found for one that is not there, or not the caller's */
export async function named(
  ctx: HostedContext,
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
