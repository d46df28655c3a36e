import { deployEndpoints } from '@cannery/contract';
import type { Api } from './api.ts';
import { CliError, exitCodes, usageError } from './cli-error.ts';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of a deploy that was given by its id or its name. @throws CliError when there is none, or more than one */
export async function findDeploy(api: Api, given: string): Promise<string> {
  // A token that may run deploys and not read them can name one by its id.
  if (ID.test(given)) return given;
  const named = (await api.call(deployEndpoints.list)).filter(
    ({ id, name }) => id === given || name === given,
  );
  const [found, ...others] = named;
  if (found === undefined) {
    throw new CliError(exitCodes.missing, `There is no deploy '${given}' that this token may see.`);
  }
  if (others.length === 0) return found.id;
  const ids = named.map(({ id }) => id).join(', ');
  throw usageError(`${named.length} deploys are called '${given}'. Name one by its id: ${ids}`);
}
