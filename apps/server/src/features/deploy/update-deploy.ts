import type { BodyOf, deployEndpoints, InstallArgumentText } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { checkText, rootDirectoryOf } from './create-deploy.ts';
import { changeDeploy, type DeployRow, findDeploy } from './store.ts';
import { saveVariables } from './variables.ts';

/** Characters of the install arguments of one canister, as in the contract. */
const ARGUMENT_LIMIT = 20_000;

/** The arguments as they are kept; blank ones are none. */
function argumentsText(given: readonly InstallArgumentText[] | undefined): string | undefined {
  if (given === undefined) return undefined;
  const entries = given
    .filter(({ argument }) => argument.trim() !== '')
    .map(({ canister, argument }) => [
      canister.trim(),
      checkText(argument, 'install argument', ARGUMENT_LIMIT),
    ]);
  return JSON.stringify(Object.fromEntries(entries));
}

/**
 * Changes a deploy's name, root directory and variables; for a static site, its build command and publish directory; for
 * the other types, the install arguments of its canisters and what happens when an interface breaks its callers.
 * @throws AppError not_found, also for somebody else's deploy; invalid_input for runs on push of a repository elsewhere
 */
export async function updateDeploy(
  ctx: AppContext,
  user: Actor,
  id: string,
  input: BodyOf<typeof deployEndpoints.update>,
): Promise<DeployRow> {
  return ctx.transact(async (tx) => {
    const { type, repo_url: outside } = await findDeploy(tx, user.id, id);
    if (input.on_push === true && outside !== null) {
      throw new AppError(
        'invalid_input',
        'Only a push to a repository of this console starts a run. Deploy others by hand, or push them here.',
      );
    }
    if (input.variables !== undefined) {
      if (type === 'MOTOKO' && input.variables.length > 0) {
        throw new AppError(
          'invalid_input',
          'A deploy of the type MOTOKO runs no commands that could read variables.',
        );
      }
      await saveVariables(ctx, tx, id, input.variables);
    }
    const site = (text: string | undefined, what: string): string | undefined =>
      type === 'STATIC_SITE' && text !== undefined ? checkText(text, what) : undefined;
    return changeDeploy(tx, user.id, id, {
      name: input.name === undefined ? undefined : checkText(input.name, 'name'),
      build_command: site(input.build_cmd, 'build command'),
      publish_directory: site(input.publish_dir, 'publish directory'),
      root_directory: input.root_directory === undefined ? undefined : rootDirectoryOf(input.root_directory),
      on_push: input.on_push,
      breaking_changes: type === 'STATIC_SITE' ? undefined : input.breaking_changes,
      install_arguments: type === 'STATIC_SITE' ? undefined : argumentsText(input.install_arguments),
    });
  });
}
