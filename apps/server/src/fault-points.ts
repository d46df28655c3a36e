import { readFileSync } from 'node:fs';
import { StartError } from './errors.ts';

/**
 * Every step of what moves cycles, changes code or keeps modules, in order, at which a crash must leave nothing half done:
 * - claimed: no other action may run on the canister
 * - signed: the call is made, and known to nobody else
 * - chunked: a module too large for one message waits in the canister's chunk store
 * - intended: the intent, with the signed call and what it costs, is on disk; nothing is sent
 * - owned, halted: of a deletion, the console is the only controller, and the canister has stopped; read: what it has then
 *   is on disk, and the deletion is not sent
 * - answered: the network has carried the call out; nothing of that is booked
 * - booking: everything is written in a transaction that is not committed
 * - booked: it is committed; the caller has no answer
 * - registry.adding, registry.updating, dapp.submitting, dapp.updating: everything is written in a transaction that is
 *   not committed
 * - registry.added, registry.updated, dapp.submitted, dapp.updated: it is committed; the caller has no answer
 * - upgrade.begun, back.begun: the change of an installed dapp is on disk; the canister still runs
 * - upgrade.stopped, back.stopped: the canister has stopped
 * - upgrade.taken: the network has a snapshot of which nothing is written; upgrade.kept: it is written
 * - upgrade.installed: the new code is booked; back.restored: the code of the snapshot is booked
 * - upgrade.started, back.started: the canister runs again, and the change is still on disk
 * - upgrade.ended, back.ended: nothing is left to do; the caller has no answer
 * - deploy.begun: a run is about to upgrade a canister, which is on disk; the canister still runs
 * - deploy.stopped: it has stopped; snapshot.answered: the network has a snapshot of which nothing is written
 * - deploy.taken: the canister's history has it, the change not yet; deploy.kept: the change has it as well
 * - deploy.installed: the new code is booked; deploy.started: it runs again; deploy.upgraded: it may go back, which is written
 * - deploy.checked: the run has failed; nothing of that is written; deploy.returning: that its canisters go back is on disk
 * - deploy.halted: a canister has stopped to go back; deploy.restored: it is back, which is booked, but not as a step of the run
 * - deploy.resumed: it runs as before; deploy.returned: all have gone back; the run has not ended
 * - recovery.found, recovery.answered: the next process is about to mend, and dies as well
 * - upload.announced, upload.kept: content is about to be in the blob store, or is; it belongs to nobody yet
 * - collect.deleting, collect.removed: content that belongs to nobody is about to go, or is gone; nothing is committed
 */
export const faultPoints = [
  'create.signed',
  'create.intended',
  'create.answered',
  'create.booking',
  'create.booked',
  'topup.claimed',
  'topup.signed',
  'topup.intended',
  'topup.answered',
  'topup.booking',
  'topup.booked',
  'install.claimed',
  'install.chunked',
  'install.signed',
  'install.intended',
  'install.answered',
  'install.booking',
  'install.booked',
  'restore.claimed',
  'restore.signed',
  'restore.intended',
  'restore.answered',
  'restore.booking',
  'restore.booked',
  'snapshot.answered',
  'delete.claimed',
  'delete.signed',
  'delete.intended',
  'delete.owned',
  'delete.halted',
  'delete.read',
  'delete.answered',
  'delete.booking',
  'delete.booked',
  'registry.adding',
  'registry.added',
  'registry.updating',
  'registry.updated',
  'dapp.submitting',
  'dapp.submitted',
  'dapp.updating',
  'dapp.updated',
  'upgrade.begun',
  'upgrade.stopped',
  'upgrade.taken',
  'upgrade.kept',
  'upgrade.installed',
  'upgrade.started',
  'upgrade.ended',
  'back.begun',
  'back.stopped',
  'back.restored',
  'back.started',
  'back.ended',
  'deploy.begun',
  'deploy.stopped',
  'deploy.taken',
  'deploy.kept',
  'deploy.installed',
  'deploy.started',
  'deploy.upgraded',
  'deploy.checked',
  'deploy.returning',
  'deploy.halted',
  'deploy.restored',
  'deploy.resumed',
  'deploy.returned',
  'recovery.found',
  'recovery.answered',
  'upload.announced',
  'upload.kept',
  'collect.deleting',
  'collect.removed',
] as const;

export type FaultPoint = (typeof faultPoints)[number];

/** Called when a step is reached. */
export type Failpoint = (point: FaultPoint) => void;

/**
 * Ends this process, as kill -9 does, when it reaches the step that FAULT_POINT names, or that is in the file that
 * FAULT_FILE names at that moment: for tests of what a crash leaves behind. Without the variables a step is nothing.
 * @throws StartError unless NODE_ENV is 'test'
 */
export function faultPointsOf(environment: Readonly<Record<string, string | undefined>>): Failpoint {
  const { FAULT_POINT: deadly, FAULT_FILE: file, NODE_ENV: mode } = environment;
  const variable = deadly === undefined ? 'FAULT_FILE' : 'FAULT_POINT';
  if (deadly === undefined && file === undefined) return () => {};
  if (mode !== 'test') {
    throw new StartError(`${variable} kills this program on purpose; it is for tests only. Unset it.`);
  }
  if (deadly !== undefined && !faultPoints.some((point) => point === deadly)) {
    throw new StartError(`FAULT_POINT is '${deadly}', but must be one of: ${faultPoints.join(', ')}.`);
  }
  return (point) => {
    if (point === deadly || (file !== undefined && readFileSync(file, 'utf8') === point))
      process.kill(process.pid, 'SIGKILL');
  };
}
