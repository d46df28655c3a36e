import { posix } from 'node:path';
import type { BodyOf, deployEndpoints } from '@cannery/contract';
import type { Actor, AppContext } from '../../../context.ts';
import { answerOnce } from '../../../db/answer-once.ts';
import { jsonText } from '../../../db/json-text.ts';
import { AppError } from '../../../errors.ts';
import { isBranchName } from '../../../git/repository/names.ts';
import { requireRepository, findPlace } from '../../repository/repository-place.ts';
import { startingCyclesOf } from '../store/starting-cycles.ts';
import { insertDeploy } from '../store/store.ts';

/** Longest name, command or path, in characters. */
const TEXT_LIMIT = 2_000;

/** @throws AppError invalid_input for text that no name, command or path may be */
export function checkText(text: string, what: string, limit = TEXT_LIMIT): string {
  if (text.includes('\0') || text.length > limit) {
    throw new AppError('invalid_input', `The ${what} must be plain text of at most ${limit} characters.`);
  }
  return text.trim();
}

/** A folder of a repository without './' and slashes at its ends. @throws AppError invalid_input */
export function rootDirectoryOf(given: string): string {
  const path = posix.normalize(checkText(given, 'root directory')).replace(/^\.?\/+|(?<!\/)\/+$/g, '');
  return path === '.' ? '' : path;
}

/**
 * Creates a deploy; it does not run yet.
 * @param key what the client calls the request; sent again under it, it is answered with the deploy of the first time
 * @throws AppError repository_not_found for a repository that does not exist or that the user may not read,
 *   invalid_input for a text that is no branch name or no allowed address, git_host_unavailable, quota_reached
 */
export async function createDeploy(
  ctx: AppContext,
  user: Actor,
  input: BodyOf<typeof deployEndpoints.create>,
  key?: string,
): Promise<{ id: string }> {
  const branch = input.branch.trim();
  if (!isBranchName(branch)) throw new AppError('invalid_input', 'This is not a branch name.');
  const place = await findPlace(ctx, user, { ...input, name: input.repo_name });
  const repository = await requireRepository(ctx, user, place);
  const isSite = input.deploy_type === 'STATIC_SITE';
  const deploy = {
    userId: user.id,
    name: checkText(input.name, 'name'),
    type: input.deploy_type,
    branch,
    repository,
    isPublic: input.is_public,
    settings: {
      ...(isSite && {
        build_command: checkText(input.build_command ?? '', 'build command'),
        publish_directory: checkText(input.publish_directory ?? '', 'publish directory'),
      }),
      root_directory: rootDirectoryOf(input.root_directory ?? ''),
      ...(input.starting_cycles && { starting_cycles: startingCyclesOf(ctx, input.starting_cycles) ?? {} }),
    },
  };
  const request = { userId: user.id, key, content: ['create deploy', jsonText(deploy)] };
  return { id: await ctx.transact((tx) => answerOnce(tx, request, () => insertDeploy(tx, deploy))) };
}
