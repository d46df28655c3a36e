import { StartError } from '../errors.ts';
import type { Db } from './tx.ts';

/** What the processes of one database must have alike, with the setting that gives it. */
const SETTINGS = {
  identity: 'IC_IDENTITY_FILE',
  'secrets-key': 'SECRETS_KEY_FILE',
  'public-url': 'PUBLIC_URL',
  bucket: 'BLOBS_S3_URL and BLOBS_S3_BUCKET',
} as const;

export type MarkName = keyof typeof SETTINGS;

/** Marks of which the value may be shown to an operator. */
const SHOWN: ReadonlySet<MarkName> = new Set(['identity', 'public-url', 'bucket']);

/**
 * Holds what this process has against what the first process of the database had; what no process had is recorded.
 * @throws StartError that names every setting that differs
 */
export async function matchMarks(db: Db, mine: Readonly<Partial<Record<MarkName, string>>>): Promise<void> {
  const given = Object.entries(mine).map(([name, value]) => ({ name: name as MarkName, value }));
  await db
    .insertInto('deployment_marks')
    .values(given)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const recorded = await db.selectFrom('deployment_marks').select(['name', 'value']).execute();
  const first = new Map(recorded.map(({ name, value }) => [name, value]));
  const different = given.filter(({ name, value }) => first.get(name) !== value);
  if (different.length === 0) return;
  const lines = different.map(({ name, value }) =>
    SHOWN.has(name)
      ? `  ${SETTINGS[name]}: this process has ${value}, the first one had ${first.get(name)}`
      : `  ${SETTINGS[name]}: this process has another key than the first one`,
  );
  throw new StartError(
    `The processes of one database need the same of:\n${lines.join('\n')}\nHow to change one for all of them is in docs/operations/roles.md.`,
  );
}
