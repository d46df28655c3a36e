import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { git, processes } from '@cannery/dev-env';
import type { Db } from '../../src/db/tx.ts';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import { loadServerIdentity } from '../../src/ic/agent/server-identity.ts';
import { ApiClient } from '../../test/support/client.ts';
import type { Fleet } from '../../test/roles/fleet.ts';
import { LedgerAudit } from '../ledger-audit.ts';
import type { Customer } from '../paying-client.ts';
import type { Citizen } from './citizen.ts';

/** How runs ended: by their status, and those that failed by the last line of their log. */
export type RunEnds = Readonly<Record<string, number>>;

/** Everything that was acknowledged, looked for behind the back of the service; and what is half done, or left. */
export async function auditFleet(
  fleet: Fleet,
  found: { db: Db; folder: string; citizens: readonly Citizen[]; customers: readonly Customer[] },
): Promise<{ findings: readonly string[]; runs: RunEnds }> {
  const { db, folder, citizens, customers } = found;
  const identity = await loadServerIdentity(folder, fleet.settings['IC_IDENTITY_FILE']);
  const ic = createIcClient({ icUrl: fleet.networkUrl, identity });
  const idsBeyond = 2 * (citizens.length + customers.length) + 4;
  const ledger = await LedgerAudit.run(db, ic, { customers, idsBeyond });
  const findings = [...ledger.findings];
  const runs: Record<string, number> = {};
  const objects = new Set(await fleet.s3.names());
  const folders = await foldersOf(folder);
  for (const citizen of citizens) {
    await lookAt(citizen);
    await lookAtSessions(citizen, fleet);
    await lookAtRepositories(citizen, folders);
    for (const hash of citizen.uploads) if (!objects.has(hash)) findings.push(`the upload ${hash} is lost`);
    findings.push(...(await runsOf(citizen, { db, fleet, runs })));
    findings.push(...citizen.journal.findings.map((each) => `${citizen.user}: ${each}`));
  }
  const named = await db.selectFrom('documents').select('identifier').execute();
  for (const { identifier } of named)
    if (!objects.has(identifier)) findings.push(`the document ${identifier} has no content`);
  findings.push(...(await leftovers(folders)), ...orphansOf(folder));
  return { findings, runs };
}

/** What a citizen has, as the service shows it. */
async function lookAt({ api, journal, canister, user }: Citizen): Promise<void> {
  const list = async (path: string) => await api.list(path);
  const names = async (path: string, field: string): Promise<Map<string, string>> =>
    new Map((await list(path)).map((row) => [String(row['id']), String(row[field])]));
  const lists: Readonly<Record<string, Map<string, string>>> = {
    'git token': await names('/repository/tokens', 'label'),
    'API token': await names('/api-tokens', 'label'),
    registry: await names('/registry/', 'name'),
    dapp: await names(`/marketplace/?uploader=${user}&limit=100`, 'name'),
    deploy: await names('/deploy', 'name'),
    canister: await names('/canister/list/', 'name'),
  };
  for (const [kind, there] of Object.entries(lists))
    for (const id of journal.keys(`${kind} `)) journal.hold(`${kind} ${id}`, there.get(id) ?? 'gone');
  const { body: now } = await api.get(`/canister/status/${canister}?real_time=true`);
  journal.hold('its name', String(now['name']));
  journal.hold('its tags', (now['tags'] as string[]).join());
  journal.hold('its status', String(now['status']));
  journal.hold('its code', String(now['module_hash'] ?? ''));
  const { body: details } = await api.get(`/canister/details/${canister}`);
  journal.hold(
    'its freezing',
    String((details['settings'] as Record<string, unknown>)['freezing_threshold']),
  );
  const snapshots = new Set((await list(`/canister/snapshots/${canister}`)).map(({ id }) => String(id)));
  for (const id of journal.keys('snapshot '))
    journal.hold(`snapshot ${id}`, snapshots.has(id) ? 'there' : 'gone');
}

async function lookAtSessions({ journal, sessions }: Citizen, fleet: Fleet): Promise<void> {
  for (const [index, token] of sessions.entries()) {
    const { status } = await new ApiClient(fleet.apiUrl(index % 2 === 0 ? 0 : 1), token).get('/user/profile');
    journal.hold(`session ${token}`, status === 200 ? 'valid' : 'ended');
  }
}

/** The folders of all users in the folders of both git roles: their path by the user. */
async function foldersOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>();
  for (const name of ['git-0', 'git-1']) {
    const root = join(folder, name, 'git');
    for (const entry of await readdir(root, { withFileTypes: true }))
      if (entry.isDirectory() && !entry.name.startsWith('.')) owners.set(entry.name, join(root, entry.name));
  }
  return owners;
}

async function lookAtRepositories(
  { api, journal, renamed, user }: Citizen,
  folders: ReadonlyMap<string, string>,
): Promise<void> {
  const listed = new Set((await api.list('/deploy/repos')).map(({ name }) => String(name)));
  for (const name of journal.keys('repository '))
    journal.hold(`repository ${name}`, listed.has(name) ? 'there' : 'gone');
  for (const [before, after] of renamed)
    if (listed.has(before) === listed.has(after))
      journal.findings.push(`of ${before} and ${after} there ${listed.has(before) ? 'are both' : 'is none'}`);
  const owner = folders.get(user);
  if (owner === undefined) {
    journal.findings.push('there is no folder of repositories');
    return;
  }
  const here = (await readdir(owner)).filter((name) => name.endsWith('.git'));
  for (const name of here) {
    const path = join(owner, name);
    if (!listed.has(name.replace(/\.git$/, ''))) journal.findings.push(`${name} is on disk and in no list`);
    await git(['--git-dir', path, 'fsck', '--strict'], owner).catch((error: Error) =>
      journal.findings.push(`${name} is not whole: ${error.message}`),
    );
    for (const entry of await readdir(path, { recursive: true }))
      if (/\.lock$|tmp_/.test(entry)) journal.findings.push(`git has left ${name}/${entry}`);
  }
  const head = await git(['--git-dir', join(owner, 'work.git'), 'rev-parse', 'main'], owner);
  journal.hold('branch main', head.trim());
}

/** Each run that was begun has ended, and the site serves the page of the commit that is recorded as live. */
async function runsOf(
  { api, user, runs: begun, site, pages }: Citizen,
  { db, fleet, runs }: { db: Db; fleet: Fleet; runs: Record<string, number> },
): Promise<string[]> {
  const findings: string[] = [];
  for (const [deploy, run] of begun) {
    const row = await db.selectFrom('deploy_instances').selectAll().where('id', '=', run).executeTakeFirst();
    if (row === undefined) findings.push(`the run ${run} of ${deploy} is lost`);
  }
  const rows = await db.selectFrom('deploy_instances').selectAll().where('deploy_id', '=', site).execute();
  for (const { id, status } of rows) {
    let how: string = status;
    if (status === 'FAILED') {
      const { body } = await api.get(`/deploy/${site}/instances/${id}`);
      how = `FAILED: ${String(body['logs']).trim().split('\n').slice(-2).join(' / ').slice(0, 300)}`;
    }
    runs[how] = (runs[how] ?? 0) + 1;
  }
  const { body } = await api.get(`/deploy/${site}`);
  const live = rows.find(({ id }) => id === body['live_run']);
  const [canister] = body['canisters'] as string[];
  if (live === undefined || canister === undefined) {
    findings.push(`${user}: no run is live`);
    return findings;
  }
  const page = await (await fetch(`${fleet.networkUrl}/?canisterId=${canister}`)).text();
  const [, wanted] = [...pages].find(([commit]) => commit.startsWith(String(live.commit_id))) ?? [];
  if (page !== wanted)
    findings.push(`${user}: the site serves ${page.slice(0, 60)}, live is commit ${live.commit_id}`);
  return findings;
}

/** What nobody needs any more. */
async function leftovers(folders: ReadonlyMap<string, string>): Promise<string[]> {
  const findings: string[] = [];
  for (const path of folders.values())
    for (const name of await readdir(path))
      if (!name.endsWith('.git') && !name.startsWith('.lfs')) findings.push(`${path} has ${name}`);
  return findings;
}

/** Programs that a killed member has left running. */
function orphansOf(folder: string): string[] {
  return processes()
    .filter(({ parent, command }) => parent === 1 && command.includes(folder))
    .map(({ command }) => `left running: ${command.slice(0, 200)}`);
}
