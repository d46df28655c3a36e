import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '@cannery/dev-env';
import { openBlobs } from '../../src/blobs/open-blobs.ts';
import { configOf } from '../../src/config/config.ts';
import { readEnv } from '../../src/config/env.ts';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import { loadServerIdentity } from '../../src/ic/agent/server-identity.ts';
import { LedgerAudit } from '../ledger-audit.ts';
import type { Customer } from '../paying-client.ts';
import type { Scene } from './scene.ts';
import type { Journal } from './work.ts';

/** Everything that was acknowledged, looked for behind the back of the service; and what nobody needs, and is there. */
export async function auditScene(
  scene: Scene,
  found: { customers: readonly Customer[]; journals: readonly Journal[]; idsBeyond: number; kind: string },
): Promise<string[]> {
  const ic = createIcClient({ icUrl: scene.networkUrl(), identity: await loadServerIdentity(scene.dataDir) });
  const { customers, idsBeyond, journals } = found;
  const ledger = await LedgerAudit.run(scene.db, ic, { customers, idsBeyond });
  const findings = [...ledger.findings];
  for (const journal of journals) {
    const rows = await scene.db.selectFrom('git_tokens').select('label').execute();
    const labels = new Set(rows.map(({ label }) => label));
    for (const label of journal.labels) if (!labels.has(label)) findings.push(`the token ${label} is lost`);
    for (const [id, hash] of journal.installed)
      if ((await ic.moduleHash(id)) !== hash) findings.push(`the module of ${id} is not ${hash}`);
    for (const [name, commit] of journal.pushes) {
      const gitDir = join(scene.dataDir, 'git', journal.user, `${name}.git`);
      const contained = git(
        ['--git-dir', gitDir, 'merge-base', '--is-ancestor', commit, 'main'],
        scene.folder,
      );
      await contained.catch(() => findings.push(`the push ${commit} of ${journal.user} is lost`));
      await git(['--git-dir', gitDir, 'fsck', '--strict'], scene.folder).catch((error: Error) =>
        findings.push(`a repository is not whole: ${error.message}`),
      );
      for (const entry of await readdir(gitDir, { recursive: true }))
        if (/\.lock$|tmp_/.test(entry)) findings.push(`git has left ${entry}`);
    }
  }
  return [...findings, ...(await blobsOf(scene, found))];
}

async function blobsOf(
  scene: Scene,
  { journals, kind }: { journals: readonly Journal[]; kind: string },
): Promise<string[]> {
  const findings: string[] = [];
  const incoming = await readdir(join(scene.dataDir, 'blobs', 'incoming'));
  if (incoming.length > 0) findings.push(`${incoming.length} uploads are left half-received`);
  const settings = kind === 'disk' ? {} : scene.s3.settings;
  // Opening a folder empties what is incoming, so it is looked at before.
  const blobs = await openBlobs(configOf(readEnv({ ...settings, DATA_DIR: scene.dataDir })));
  for (const hash of journals.flatMap(({ uploads }) => uploads))
    await blobs.get(hash).catch((error: Error) => findings.push(`the upload ${hash}: ${error.message}`));
  const named = await scene.db.selectFrom('documents').select('identifier').execute();
  for (const { identifier } of named)
    await blobs
      .get(identifier)
      .catch((error: Error) => findings.push(`a document is lost: ${error.message}`));
  return findings;
}
