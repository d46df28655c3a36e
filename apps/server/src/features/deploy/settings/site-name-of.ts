import { type DeployType, siteNameProblem, tidySiteName } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { siteNameRules } from '../../../network/site-name-rules.ts';

/**
 * The name for the website of a deploy as it is kept; null for none.
 * @throws AppError invalid_input for what no site may be called here, and where sites have no names
 */
export function siteNameOf(
  { config, addresses }: Pick<AppContext, 'config' | 'addresses'>,
  type: DeployType,
  typed: string,
): string | null {
  const name = tidySiteName(typed);
  if (name === '') return null;
  const rules = siteNameRules(config, addresses);
  if (rules === null) {
    throw new AppError(
      'invalid_input',
      'The sites of this console are served elsewhere, where they have no names.',
    );
  }
  if (type === 'MOTOKO') throw new AppError('invalid_input', 'A deploy of the type MOTOKO has no website.');
  const problem = siteNameProblem(name) ?? (rules.ownLabels.has(name) ? 'This name is reserved.' : undefined);
  if (problem !== undefined) throw new AppError('invalid_input', problem);
  return name;
}
