import type { CrashParts, CrashSubject } from './crash-parts.ts';
import { randomBytes } from 'node:crypto';
import { type FaultPoint, faultPoints } from '../src/fault-points.ts';
import { creation, deletion, installation, topUp } from './canister-subjects.ts';
import { restoring } from './restore-subject.ts';
import { keeping, offering } from './named-subjects.ts';
import { upgrade, wayBack } from './version-subjects.ts';

const actions = [
  'create',
  'topup',
  'install',
  'restore',
  'delete',
  'registry',
  'dapp',
  'upgrade',
  'back',
] as const;
export type Action = (typeof actions)[number];

/** A step at which the process dies, and the action that it is then about. */
export interface Crash {
  readonly point: FaultPoint;
  readonly action: Action;
}

/** Steps whose installation is of a large module. */
const LARGE: ReadonlySet<FaultPoint> = new Set(['install.chunked', 'install.answered']);

/** Steps at which the canister that is deleted has a second controller, from whom it is taken first. */
const SHARED: ReadonlySet<FaultPoint> = new Set([
  'delete.intended',
  'delete.owned',
  'delete.halted',
  'delete.read',
  'delete.booking',
]);
/** The principal of nobody (interface specification, "anonymous"). */
const OTHER = '2vxsx-fae';

/** The action a step is named for. */
export function actionOf(point: FaultPoint): Action {
  const [action] = point.split('.');
  // Of those that take snapshots, an upgrade has the most to mend.
  if (action === 'snapshot') return 'upgrade';
  const known = actions.find((one) => one === action);
  if (known !== undefined) return known;
  throw new Error(`${point} is no step of an action.`);
}

/** The steps of an upgrade that are those of an installation. */
export const installationInUpgrade: readonly Crash[] = faultPoints
  .filter((point) => /^install\.(?:chunked|signed|intended|answered|booking|booked)$/.test(point))
  .map((point) => ({ point, action: 'upgrade' }));

/** The steps of a way back that are those of restoring a snapshot. */
export const restoringInBack: readonly Crash[] = faultPoints
  .filter((point) => /^restore\.(?:signed|intended|answered|booking|booked)$/.test(point))
  .map((point) => ({ point, action: 'back' }));

/** Makes what the action needs, unless the action makes it itself. */
export async function subjectOf({ point, action }: Crash, parts: CrashParts): Promise<CrashSubject> {
  const name = `${action} ${point} ${randomBytes(4).toString('hex')}`;
  if (action === 'create') return creation(parts, name);
  if (action === 'registry') return keeping(parts, name, point.startsWith('registry.updat'));
  if (action === 'dapp') return offering(parts, name, point.startsWith('dapp.updat'));
  const id = await parts.api.create(name);
  if (action === 'topup') return topUp(parts, id);
  if (action === 'install') return installation(parts, { id, name, isLarge: LARGE.has(point) });
  if (action === 'restore') return restoring(parts, id);
  if (action === 'upgrade') return upgrade(parts, { id, name, isLarge: LARGE.has(point) });
  if (action === 'back') return wayBack(parts, { id, name });
  await parts.api.post('/canister/stop', { canister_id: id });
  if (SHARED.has(point)) await parts.ic.updateSettings(id, { controllers: [parts.ic.principal, OTHER] });
  return deletion(parts, id);
}
