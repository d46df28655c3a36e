import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as core from './migrations/0001-core.ts';
import * as deploys from './migrations/0002-deploys.ts';
import * as canisterDetails from './migrations/0003-canister-details.ts';
import * as ledger from './migrations/0004-ledger.ts';
import * as ledgerPayments from './migrations/0005-ledger-payments.ts';
import * as canisterBalances from './migrations/0006-canister-balances.ts';
import * as sessions from './migrations/0007-sessions.ts';
import * as outsideRepositories from './migrations/0008-outside-repositories.ts';
import * as crashedRuns from './migrations/0009-crashed-runs.ts';
import * as turnsOfRuns from './migrations/0010-turns-of-runs.ts';
import * as documents from './migrations/0011-documents.ts';
import * as registries from './migrations/0012-registries.ts';
import * as marketplace from './migrations/0013-marketplace.ts';
import * as sampleProducts from './migrations/0016-sample-products.ts';
import * as longLists from './migrations/0017-long-lists.ts';
import * as versionChanges from './migrations/0018-version-changes.ts';
import * as runsAndTheirLogs from './migrations/0020-runs-and-their-logs.ts';
import * as canistersOfDeploys from './migrations/0021-canisters-of-deploys.ts';
import * as argumentsOfDeploys from './migrations/0022-arguments-of-deploys.ts';
import * as deploysOnPush from './migrations/0023-deploys-on-push.ts';
import * as artifactsOfRuns from './migrations/0024-artifacts-of-runs.ts';
import * as settingsOfBuilds from './migrations/0025-settings-of-builds.ts';
import * as apiTokens from './migrations/0026-api-tokens.ts';
import * as deletionsOfDeploys from './migrations/0027-deletions-of-deploys.ts';
import * as breakingChanges from './migrations/0028-breaking-changes.ts';
import * as github from './migrations/0029-github.ts';
import * as hooksOfDeploys from './migrations/0030-hooks-of-deploys.ts';
import * as snapshotsOfDeploys from './migrations/0031-snapshots-of-deploys.ts';
import * as startingCycles from './migrations/0032-starting-cycles.ts';
import * as freezingNeeds from './migrations/0033-freezing-needs.ts';
import * as partsOfRuns from './migrations/0034-parts-of-runs.ts';
import * as sitePictures from './migrations/0035-site-pictures.ts';
import * as originsOfCode from './migrations/0036-origins-of-code.ts';
import * as reservations from './migrations/0037-reservations.ts';
import * as uncertainPayments from './migrations/0038-uncertain-payments.ts';
import * as settingsOfDeploys from './migrations/0039-settings-of-deploys.ts';
import * as changesOfCode from './migrations/0040-changes-of-code.ts';
import * as noPageTickets from './migrations/0041-no-page-tickets.ts';
import * as typesOfDeploys from './migrations/0042-types-of-deploys.ts';
import * as outcomesOfRuns from './migrations/0043-outcomes-of-runs.ts';
import * as idsOfRepositories from './migrations/0044-ids-of-repositories.ts';
import * as triggersOfRuns from './migrations/0048-triggers-of-runs.ts';
import * as namesOfSites from './migrations/0049-names-of-sites.ts';
import * as liveNotices from './migrations/0050-live-notices.ts';
import * as httpOfCanisters from './migrations/0051-http-of-canisters.ts';
import * as liveRuns from './migrations/0052-live-runs.ts';
import * as firstSteps from './migrations/0053-first-steps.ts';
import * as ratingsOfDapps from './migrations/0054-ratings-of-dapps.ts';
import * as tagsOfCanisters from './migrations/0055-tags-of-canisters.ts';
import * as gitTokensEnd from './migrations/0056-git-tokens-end.ts';
import * as roles from './migrations/0057-roles.ts';
import * as placesOfBlobs from './migrations/0059-places-of-blobs.ts';
import * as rates from './migrations/0060-rates.ts';
import * as picturesOfCanisters from './migrations/0061-pictures-of-canisters.ts';
import * as signInChallenges from './migrations/0062-sign-in-challenges.ts';
import * as bytesOfLogs from './migrations/0063-bytes-of-logs.ts';
import * as machinesOfWorkers from './migrations/0064-machines-of-workers.ts';
import { StartError } from '../errors.ts';
import type { Db } from './tx.ts';

/** In order; a released migration is never edited, a change is a new one. */
const migrations: Record<string, Migration> = {
  '0001-core': core,
  '0002-deploys': deploys,
  '0003-canister-details': canisterDetails,
  '0004-ledger': ledger,
  '0005-ledger-payments': ledgerPayments,
  '0006-canister-balances': canisterBalances,
  '0007-sessions': sessions,
  '0008-outside-repositories': outsideRepositories,
  '0009-crashed-runs': crashedRuns,
  '0010-turns-of-runs': turnsOfRuns,
  '0011-documents': documents,
  '0012-registries': registries,
  '0013-marketplace': marketplace,
  '0016-sample-products': sampleProducts,
  '0017-long-lists': longLists,
  '0018-version-changes': versionChanges,
  '0020-runs-and-their-logs': runsAndTheirLogs,
  '0021-canisters-of-deploys': canistersOfDeploys,
  '0022-arguments-of-deploys': argumentsOfDeploys,
  '0023-deploys-on-push': deploysOnPush,
  '0024-artifacts-of-runs': artifactsOfRuns,
  '0025-settings-of-builds': settingsOfBuilds,
  '0026-api-tokens': apiTokens,
  '0027-deletions-of-deploys': deletionsOfDeploys,
  '0028-breaking-changes': breakingChanges,
  '0029-github': github,
  '0030-hooks-of-deploys': hooksOfDeploys,
  '0031-snapshots-of-deploys': snapshotsOfDeploys,
  '0032-starting-cycles': startingCycles,
  '0033-freezing-needs': freezingNeeds,
  '0034-parts-of-runs': partsOfRuns,
  '0035-site-pictures': sitePictures,
  '0036-origins-of-code': originsOfCode,
  '0037-reservations': reservations,
  '0038-uncertain-payments': uncertainPayments,
  '0039-settings-of-deploys': settingsOfDeploys,
  '0040-changes-of-code': changesOfCode,
  '0041-no-page-tickets': noPageTickets,
  '0042-types-of-deploys': typesOfDeploys,
  '0043-outcomes-of-runs': outcomesOfRuns,
  '0044-ids-of-repositories': idsOfRepositories,
  '0048-triggers-of-runs': triggersOfRuns,
  '0049-names-of-sites': namesOfSites,
  '0050-live-notices': liveNotices,
  '0051-http-of-canisters': httpOfCanisters,
  '0052-live-runs': liveRuns,
  '0053-first-steps': firstSteps,
  '0054-ratings-of-dapps': ratingsOfDapps,
  '0055-tags-of-canisters': tagsOfCanisters,
  '0056-git-tokens-end': gitTokensEnd,
  '0057-roles': roles,
  '0059-places-of-blobs': placesOfBlobs,
  '0060-rates': rates,
  '0061-pictures-of-canisters': picturesOfCanisters,
  '0062-sign-in-challenges': signInChallenges,
  '0063-bytes-of-logs': bytesOfLogs,
  '0064-machines-of-workers': machinesOfWorkers,
};

/**
 * Brings the database to the newest schema; each step is one transaction. Several processes may call it at once.
 * @param last the step to end with: of a backup, and for tests of what the later ones do to data
 * @throws StartError for a database that a newer version has changed
 */
export async function migrate(db: Db, last?: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  await refuseNewer(db);
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (error) throw new Error('The database could not be brought to the newest schema.', { cause: error });
}

/** The steps that a database has behind it, in order. */
export async function migrationsOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    made: string | null;
  }>`select to_regclass('kysely_migration')::text as made`.execute(db);
  if (rows[0]?.made == null) return [];
  const done = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return done.rows.map(({ name }) => name);
}

/** The step that a database has behind it and this version does not know. */
export function unknownStep(done: readonly string[]): string | undefined {
  return done.find((name) => !Object.hasOwn(migrations, name));
}

async function refuseNewer(db: Db): Promise<void> {
  const unknown = unknownStep(await migrationsOf(db));
  if (unknown === undefined) return;
  throw new StartError(
    `A newer version of Cannery has changed this database (it has the step ${unknown}, which this version does not know). Start that version, or bring the backup back that was made before the upgrade: npm run restore`,
  );
}
