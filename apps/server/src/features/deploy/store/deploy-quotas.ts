import { MAX_DEPLOYS } from '@cannery/contract';
import { sql } from 'kysely';
import { Quota } from '../../../db/quota.ts';
import type { Tx } from '../../../db/tx.ts';
import { AppError } from '../../../errors.ts';

const MIB = 1024 * 1024;

/**
 * Bytes of the settings of all deploys of a user. The list of deploys has them all, and is made as a whole by the thread that serves
 * everybody; a deploy with everything that its settings may have takes two.
 */
const TEXTS_OF_USER = 4 * MIB;

const deploys = new Quota({
  name: 'deploys',
  used: (userId) => sql<number>`(select count(*) from deploys where user_id = ${userId})`,
  refusal: (limit) =>
    new AppError('quota_reached', `You have ${limit} deploys, which is the limit. Delete one first.`),
});

/** As they are answered: what the database has made of long texts is shorter. */
const texts = new Quota({
  name: 'settings of deploys',
  used: (userId) => sql<number>`(
      select coalesce(sum(octet_length(name) + octet_length(branch) + octet_length(settings::text)), 0)
      from deploys where user_id = ${userId}
    ) + (
      select coalesce(sum(octet_length(v.name) + coalesce(octet_length(v.value), octet_length(v.sealed), 0)), 0)
      from deploy_variables v join deploys d on d.id = v.deploy_id where d.user_id = ${userId}
    )`,
  refusal: (limit) =>
    new AppError(
      'quota_reached',
      `The settings of your deploys would be more than ${limit / MIB} MiB together. Shorten arguments or variables, or delete a deploy.`,
    ),
});

/** Inserts a deploy of a user. @throws AppError quota_reached; what `insert` throws */
export function addDeploy<T>(tx: Tx, userId: string, insert: () => Promise<T>): Promise<T> {
  return deploys.add(tx, { userId, limit: MAX_DEPLOYS, adds: 1 }, () => changeTexts(tx, userId, insert));
}

/** Changes settings of a deploy of a user. @throws AppError quota_reached, by which the transaction must end; what `change` throws */
export function changeTexts<T>(tx: Tx, userId: string, change: () => Promise<T>): Promise<T> {
  return texts.within(tx, { userId, limit: TEXTS_OF_USER }, change);
}
