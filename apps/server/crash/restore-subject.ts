import type { CrashParts, CrashSubject } from './crash-parts.ts';
import { balanceOf, changesOf, Findings, moduleOf, originOf, SMALL_MODULE_BYTES } from './findings.ts';

/** A stopped canister goes back to a snapshot of other code, which was put in from a registry. */
export async function restoring({ api, ic, books }: CrashParts, id: string): Promise<CrashSubject> {
  const [first, second] = [
    await api.uploadWasm(moduleOf(SMALL_MODULE_BYTES)),
    await api.uploadWasm(moduleOf(SMALL_MODULE_BYTES)),
  ];
  const { body } = await api.post('/registry/add', { name: 'Before', identifier: first });
  const install = { canister_id: id, identifier: first, mode: 'install' };
  await api.post('/canister/install', install, { 'code-origin': `registry ${String(body.id)} 1` });
  await api.post('/canister/stop', { canister_id: id });
  const { body: taken } = await api.post('/canister/snapshot/take', { canister_id: id });
  await api.post('/canister/install', { canister_id: id, identifier: second, mode: 'upgrade' });
  const before = await balanceOf(books);
  const done = await changesOf(books, id);
  return {
    act: () => api.post('/canister/snapshot/restore', { canister_id: id, snapshot_id: taken.id }),
    async look({ books: after }) {
      const findings = new Findings();
      const { status, moduleHash } = await ic.status(id);
      const isDone = moduleHash === first;
      findings.equal('the canister', status, 'stopped');
      findings.equal('its code', moduleHash, isDone ? first : second);
      const origin = isDone ? `registry ${first}` : `file ${second}`;
      findings.equal('its origin', await originOf(after, id), origin);
      findings.equal('the history', await changesOf(after, id), isDone ? `${done}, snapshot_restored` : done);
      findings.equal('what was paid', before - (await balanceOf(after)), 0n);
      return { isDone, findings: findings.all };
    },
  };
}
