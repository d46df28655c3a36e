import {
  balanceEndpoints,
  canisterCallEndpoints,
  canisterDetailEndpoints,
  firstStepEndpoints,
  inspectionEndpoints,
} from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { type Route, route } from '../../http/route.ts';
import { markStep, readFirstSteps } from '../account/first-steps.ts';
import { callMethod } from './calls/call-method.ts';
import { CallsUnderWay } from './calls/calls-under-way.ts';
import { listChanges } from './core/changes.ts';
import { inspectModule } from './code/inspect-module.ts';
import { readBalances } from './balance/balance-samples.ts';
import { readDetails } from './core/read-canister.ts';
import { readLogs } from './logs/read-logs.ts';
import { restoreSnapshot } from './snapshots/restore-snapshot.ts';
import { deleteSnapshot, listSnapshots, takeSnapshot } from './snapshots/snapshots.ts';
import { findCanister } from './core/store.ts';
import { updateSettings } from './settings/update-settings.ts';

/** Calls of canisters that wait at the same time, of all users and of one: half of the handlers stay free for all else. */
const UNDER_WAY = { most: 20, perUser: 4 };

/** Calls about one canister beyond its place in the list. */
export function canisterDetailRoutes(ctx: AppContext): Route[] {
  const underWay = new CallsUnderWay(UNDER_WAY);
  return [
    route(canisterCallEndpoints.call, ({ user, body, idempotencyKey: key }) =>
      callMethod(ctx, underWay, user, {
        canisterId: body.canister_id,
        method: body.method,
        argumentHex: body.argument_hex,
        asQuery: body.as_query,
        expiresAt: body.expires_at,
        key,
      }),
    ),
    route(firstStepEndpoints.called, async ({ user, body }) => {
      await findCanister(ctx.db, user.id, body.canister_id);
      await markStep(ctx.db, user.id, 'call');
      return readFirstSteps(ctx.db, user.id);
    }),
    route(canisterDetailEndpoints.details, ({ user, params }) =>
      readDetails(ctx, user, { canisterId: params.id }),
    ),
    route(balanceEndpoints.balances, ({ user, params, query }) =>
      readBalances(ctx, user, { canisterId: params.id, range: query.range }),
    ),
    route(canisterDetailEndpoints.updateSettings, ({ user, body }) =>
      updateSettings(ctx, user, {
        canisterId: body.canister_id,
        settings: body.settings,
        giveUpControl: body.give_up_control,
      }),
    ),
    route(canisterDetailEndpoints.logs, ({ user, params, query }) =>
      readLogs(ctx, user, { canisterId: params.id, ...query }),
    ),
    route(canisterDetailEndpoints.history, async ({ user, params }) => {
      const { id } = await findCanister(ctx.db, user.id, params.id);
      const rows = await listChanges(ctx.db, id);
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        actor: row.actor,
        detail: row.detail,
        created_at: row.created_at.toISOString(),
      }));
    }),
    route(canisterDetailEndpoints.snapshots, ({ user, params }) =>
      listSnapshots(ctx, user, { canisterId: params.id }),
    ),
    route(canisterDetailEndpoints.takeSnapshot, ({ user, body }) =>
      takeSnapshot(ctx, user, { canisterId: body.canister_id, replace: body.replace }),
    ),
    route(canisterDetailEndpoints.restoreSnapshot, ({ user, body }) =>
      restoreSnapshot(ctx, user, { canisterId: body.canister_id, snapshotId: body.snapshot_id }),
    ),
    route(canisterDetailEndpoints.deleteSnapshot, async ({ user, body }) => {
      await deleteSnapshot(ctx, user, { canisterId: body.canister_id, snapshotId: body.snapshot_id });
      return { message: 'Snapshot deleted.' };
    }),
    route(inspectionEndpoints.inspect, ({ user, body }) =>
      inspectModule(ctx, user, { canisterId: body.canister_id, identifier: body.identifier }),
    ),
  ];
}
