import type { DeployAnswer, GivenVariable } from '@cannery/contract';
import { SHORTEST_SECRET } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import type { Reader, Tx } from '../../../db/tx.ts';
import { AppError } from '../../../errors.ts';

type Variable = DeployAnswer['variables'][number];

/** Where a secret belongs: sealed for it, it opens nowhere else. */
export const placeOfVariable = (deployId: string, name: string): string =>
  `variable ${name} of deploy ${deployId}`;

/**
 * Makes these the variables of a deploy; one without a value keeps that which it has.
 * @throws AppError invalid_input for a name that comes twice, a value that is missing, or a secret that logs could not hide
 */
export async function saveVariables(
  { sealing }: Pick<AppContext, 'sealing'>,
  tx: Tx,
  deployId: string,
  given: readonly GivenVariable[],
): Promise<void> {
  // What is kept is written again, so that it must not be sealed again meanwhile.
  const sealer = await sealing.sealer(tx);
  const rows = await tx
    .selectFrom('deploy_variables')
    .selectAll()
    .where('deploy_id', '=', deployId)
    .execute();
  const before = new Map(rows.map((row) => [row.name, row]));
  const names = new Set<string>();
  const kept = given.map(({ name, value, secret = false }) => {
    if (names.has(name)) throw new AppError('invalid_input', `The variable ${name} is given twice.`);
    names.add(name);
    const old = before.get(name);
    if (value === undefined) {
      // A secret that became an ordinary variable would be shown.
      const isKept = old !== undefined && (old.sealed !== null) === secret;
      if (!isKept) throw new AppError('invalid_input', `The variable ${name} needs a value.`);
      return old;
    }
    if (secret && value.length < SHORTEST_SECRET) {
      throw new AppError(
        'invalid_input',
        `The secret ${name} is too short to be hidden in logs. It must have at least ${SHORTEST_SECRET} characters.`,
      );
    }
    const place = placeOfVariable(deployId, name);
    return {
      deploy_id: deployId,
      name,
      value: secret ? null : value,
      sealed: secret ? sealer.seal(value, place) : null,
    };
  });
  await tx.deleteFrom('deploy_variables').where('deploy_id', '=', deployId).execute();
  if (kept.length > 0) await tx.insertInto('deploy_variables').values(kept).execute();
}

/** Variables of deploys as they are answered, by deploy: without the values of secrets. */
export async function variablesOf(
  db: Reader,
  deployIds: readonly string[],
): Promise<Map<string, Variable[]>> {
  const found = new Map<string, Variable[]>();
  if (deployIds.length === 0) return found;
  const rows = await db
    .selectFrom('deploy_variables')
    .select(['deploy_id', 'name', 'value'])
    .where('deploy_id', 'in', deployIds)
    .orderBy('name')
    .execute();
  for (const { deploy_id, name, value } of rows) {
    found.set(deploy_id, [...(found.get(deploy_id) ?? []), { name, value, secret: value === null }]);
  }
  return found;
}

/** What a build gets. */
export interface OpenedVariables {
  readonly values: ReadonlyMap<string, string>;
  /** Names of those that are secrets. */
  readonly secrets: readonly string[];
}

/** @throws SealError when a secret was sealed by another key than that of this server */
export async function openVariables(
  { db, sealing }: Pick<AppContext, 'db' | 'sealing'>,
  deployId: string,
): Promise<OpenedVariables> {
  const rows = await db
    .selectFrom('deploy_variables')
    .selectAll()
    .where('deploy_id', '=', deployId)
    .orderBy('name')
    .execute();
  const values = new Map<string, string>();
  const secrets: string[] = [];
  for (const { name, value, sealed } of rows) {
    if (sealed !== null) secrets.push(name);
    values.set(name, sealed === null ? (value ?? '') : sealing.open(sealed, placeOfVariable(deployId, name)));
  }
  return { values, secrets };
}
