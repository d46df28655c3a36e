import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take a minute or more on two cores, the longest first. Vitest starts large files first where it knows no times,
 * but these are long because they start many processes; one of them at the end has a core to itself for minutes.
 */
const long: readonly string[] = [
  'apps/server/test/builds/installation.integration.test.ts',
  'apps/server/test/mops/mops-packages.integration.test.ts',
  'apps/server/test/service/crash-steps.integration.test.ts',
  'apps/server/test/builds/yarn.integration.test.ts',
  'apps/server/test/deploys/deploy-upgrade-crashes.integration.test.ts',
  'apps/server/test/authorisation/authorisation-matrix.integration.test.ts',
  'apps/server/test/git/repository-copies.integration.test.ts',
  'apps/server/test/deploys/custom-deploys.integration.test.ts',
  'apps/server/src/builders/motoko/compile.integration.test.ts',
  'apps/server/test/backup/backup.integration.test.ts',
  'apps/server/test/sites/site-pictures.integration.test.ts',
  'apps/server/test/webhooks/github-attacks.integration.test.ts',
  'apps/server/test/deploys/deploy-snapshots.integration.test.ts',
  'apps/server/test/builds/host-paths.integration.test.ts',
  'apps/server/test/account/cycles-ledger.integration.test.ts',
  'apps/server/test/deploys/deploy-parts.integration.test.ts',
  'apps/server/test/service/command-line.integration.test.ts',
  'apps/server/test/deploys/breaking-interfaces.integration.test.ts',
  'apps/server/test/service/recovery.integration.test.ts',
];

/** Starts the longest files first, so that the cores end together. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = long.findIndex((file) => moduleId.endsWith(`/${file}`));
      return at === -1 ? long.length : at;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
