import { CandidError } from '@cannery/candid';
import {
  type BodyOf,
  type deployEndpoints,
  HEALTH_TEXT_LIMIT,
  type HealthCall,
  type InstallArgumentText,
} from '@cannery/contract';
import { onCandid } from '../../../candid/candid-thread.ts';
import type { Actor, AppContext } from '../../../context.ts';
import { ownerOf } from '../../../git/repository/names.ts';
import { type RecordedRepository, requireRepository } from '../../repository/repository-place.ts';
import type { DeploySettings } from '../../../db/tables/deploy-settings.ts';
import { AppError } from '../../../errors.ts';
import { checkText, rootDirectoryOf } from './create-deploy.ts';
import { startingCyclesOf } from '../store/starting-cycles.ts';
import { tagPatternOf, watchPathsOf } from './push-triggers.ts';
import { changeTexts } from '../store/deploy-quotas.ts';
import { claimName } from '../store/site-names.ts';
import { siteNameOf } from './site-name-of.ts';
import { changeDeploy, type DeployRow, findDeploy, lockDeploy } from '../store/store.ts';
import { saveVariables } from '../store/variables.ts';

/** Characters of the install arguments of one canister, as in the contract. */
const ARGUMENT_LIMIT = 20_000;

/** The arguments as they are kept; blank ones are none. */
function argumentsOf(
  given: readonly InstallArgumentText[] | undefined,
): DeploySettings['install_arguments'] | undefined {
  if (given === undefined) return undefined;
  const entries = given
    .filter(({ argument }) => argument.trim() !== '')
    .map(({ canister, argument }) => [
      canister.trim(),
      checkText(argument, 'install argument', ARGUMENT_LIMIT),
    ]);
  return Object.fromEntries(entries);
}

/**
 * The health call as it is kept; its texts must be Candid.
 * @throws AppError invalid_input
 */
async function healthCallOf(given: HealthCall | null | undefined): Promise<HealthCall | null | undefined> {
  if (given === null || given === undefined) return given;
  const texts = { argument: given.argument, expected: given.expected };
  for (const [what, text] of Object.entries(texts)) {
    await onCandid('checkText', checkText(text, `${what} of the health call`, HEALTH_TEXT_LIMIT)).catch(
      (error: unknown) => {
        if (!(error instanceof CandidError)) throw error;
        const read = what === 'argument' ? 'The argument' : 'The expected answer';
        throw new AppError('invalid_input', `${read} of the health call is not Candid: ${error.message}.`);
      },
    );
  }
  const method = checkText(given.method, 'method of the health call');
  if (method === '') throw new AppError('invalid_input', 'The health call needs a method.');
  const canister = checkText(given.canister, 'canister of the health call');
  return { ...given, canister, method };
}

/**
 * The repository of this console that a deploy is to be connected with.
 * @throws AppError not_found for a deploy that is not the user's, repository_not_found, invalid_input
 */
async function ownRepository(
  ctx: AppContext,
  user: Actor,
  id: string,
  name: string,
): Promise<RecordedRepository> {
  const deploy = await findDeploy(ctx.db, user.id, id);
  if (deploy.repo_url !== null || deploy.github_repository_id !== null) {
    throw new AppError(
      'invalid_input',
      'This deploy has its repository at another git host. Create a deploy for the repository that you mean.',
    );
  }
  return requireRepository(ctx, user, { kind: 'own', owner: ownerOf(user), name });
}

/**
 * Since when pushes start no run, as it is kept; undefined to leave it as it is. A new choice of what a push does ends a pause.
 */
function pausedSince(
  paused: boolean | undefined,
  onPush: boolean | undefined,
): DeploySettings['push_paused_at'] | undefined {
  if (paused === true) return new Date().toISOString();
  return paused === undefined && onPush === undefined ? undefined : null;
}

/**
 * Changes a deploy's name, repository, root directory, variables and the name of its website; for a static site, its build command and publish directory; for
 * the other types, the install arguments of its canisters, what happens when an interface breaks its callers, and how its runs
 * can go back.
 * @throws AppError not_found, also for somebody else's deploy; repository_not_found; invalid_input for another repository of a deploy that
 * has one elsewhere, for runs on push of a repository elsewhere and for
 * texts of a health call that are no Candid; already_exists and quota_reached for a name of a website, quota_reached for more texts than a user may have
 */
export async function updateDeploy(
  ctx: AppContext,
  user: Actor,
  id: string,
  input: BodyOf<typeof deployEndpoints.update>,
): Promise<DeployRow> {
  const { name, repo_name, variables, build_cmd, publish_dir, root_directory, starting_cycles, ...others } =
    input;
  const { install_arguments, health_call, breaking_changes, snapshots, deploy_without, site_name, ...kept } =
    others;
  const { push_paused: paused, ...plain } = kept;
  const healthCall = await healthCallOf(health_call);
  const watchPaths = watchPathsOf(plain.watch_paths);
  const deployTags = tagPatternOf(plain.deploy_tags);
  const repository = repo_name === undefined ? undefined : await ownRepository(ctx, user, id, repo_name);
  return ctx.transact(async (tx) => {
    const { type, repo_url: outside, github_repository_id: gitHub } = await lockDeploy(tx, user.id, id);
    if (plain.on_push === true && outside !== null) {
      throw new AppError(
        'invalid_input',
        'A push to another git host starts a run only through a webhook. Switch the webhook on in the settings of the deploy.',
      );
    }
    if ((outside !== null || gitHub !== null) && (watchPaths?.length || deployTags)) {
      throw new AppError(
        'invalid_input',
        'Watch paths and tags are for repositories of this console: what a push to another host has changed is not known here.',
      );
    }
    return changeTexts(tx, user.id, async () => {
      if (variables !== undefined) {
        if (type === 'MOTOKO' && variables.length > 0) {
          throw new AppError(
            'invalid_input',
            'A deploy of the type MOTOKO runs no commands that could read variables.',
          );
        }
        await saveVariables(ctx, tx, id, variables);
      }
      if (site_name !== undefined) {
        await claimName(tx, { userId: user.id, deployId: id, name: siteNameOf(ctx, type, site_name) });
      }
      const site = (text: string | undefined, what: string): string | undefined =>
        type === 'STATIC_SITE' && text !== undefined ? checkText(text, what) : undefined;
      return changeDeploy(tx, user.id, id, {
        name: name === undefined ? undefined : checkText(name, 'name'),
        repository,
        settings: {
          ...plain,
          push_paused_at: pausedSince(paused, plain.on_push),
          watch_paths: watchPaths,
          deploy_tags: deployTags,
          build_command: site(build_cmd, 'build command'),
          publish_directory: site(publish_dir, 'publish directory'),
          root_directory: root_directory === undefined ? undefined : rootDirectoryOf(root_directory),
          starting_cycles: startingCyclesOf(ctx, starting_cycles),
          ...(type !== 'STATIC_SITE' && {
            breaking_changes,
            snapshots,
            deploy_without,
            health_call: healthCall,
            install_arguments: argumentsOf(install_arguments),
          }),
        },
      });
    });
  });
}
