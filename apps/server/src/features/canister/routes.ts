import { type CanisterAnswer, canisterEndpoints } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { largeRoute, type Route, route } from '../../http/route.ts';
import { jsonRows } from '../../http/answers/json-rows.ts';
import { createCanister, createWithRegistry } from './lifecycle/create-canister.ts';
import { deleteCanister } from './lifecycle/delete-canister.ts';
import { installDocument } from './code/install-code.ts';
import { readCanister } from './core/read-canister.ts';
import { createListRefresher } from './core/refresh-list.ts';
import { setRunning } from './lifecycle/set-running.ts';
import { placesOf } from './core/places.ts';
import { type CanisterRow, findCanister, listCanisters, listLogs } from './core/store.ts';
import { takenPictures } from './core/taken-pictures.ts';
import { toAnswer } from './core/to-answer.ts';
import { orderAfterInstall } from './pictures/order-picture.ts';
import { renameCanister, tagCanister } from './settings/label-canister.ts';
import { topUp } from './payment/top-up.ts';

export function canisterRoutes(ctx: AppContext): Route[] {
  const refresher = createListRefresher(ctx);
  const { publicUrl } = ctx.addresses;
  async function answer(user: Actor, row: CanisterRow, isBehind = false): Promise<CanisterAnswer> {
    const [places, taken] = await Promise.all([
      placesOf(ctx.db, user.id, row.id),
      takenPictures(ctx.db, user.id, row.id),
    ]);
    return toAnswer(row, { isBehind, place: places.get(row.id), taken: taken.get(row.id), publicUrl });
  }
  return [
    route(canisterEndpoints.create, async ({ user, body, idempotencyKey: key }) => {
      const { name, registry: registryId } = body;
      const { id } =
        registryId === undefined
          ? await createCanister(ctx, user, { name, key })
          : await createWithRegistry(ctx, user, { name, key, registryId });
      return { canister_id: { canister_id: id }, data: { canister_id: id } };
    }),
    largeRoute(canisterEndpoints.list, async ({ user }) => {
      const [rows, places, taken] = await Promise.all([
        listCanisters(ctx.db, user.id),
        placesOf(ctx.db, user.id),
        takenPictures(ctx.db, user.id),
      ]);
      refresher.refresh(user.id, rows);
      const isBehind = refresher.isBehind(user.id);
      return jsonRows(rows, (row) =>
        toAnswer(row, { isBehind, place: places.get(row.id), taken: taken.get(row.id), publicUrl }),
      );
    }),
    route(canisterEndpoints.status, async ({ user, params, query }) => {
      const realTime = query.real_time === 'true';
      const row = await readCanister(ctx, user, { canisterId: params.id, realTime });
      return answer(user, row, !realTime && refresher.isBehind(user.id));
    }),
    route(canisterEndpoints.start, async ({ user, body }) =>
      answer(user, await setRunning(ctx, user, { canisterId: body.canister_id, running: true })),
    ),
    route(canisterEndpoints.stop, async ({ user, body }) =>
      answer(user, await setRunning(ctx, user, { canisterId: body.canister_id, running: false })),
    ),
    route(canisterEndpoints.rename, async ({ user, body }) =>
      answer(user, await renameCanister(ctx, user, { canisterId: body.canister_id, name: body.name })),
    ),
    route(canisterEndpoints.tag, async ({ user, body }) =>
      answer(
        user,
        await tagCanister(ctx, user, {
          canisterId: body.canister_id,
          add: body.add_tags,
          remove: body.remove_tags,
        }),
      ),
    ),
    route(canisterEndpoints.topUp, async ({ user, body, idempotencyKey: key }) => {
      const { canister_id: canisterId, amount } = body;
      const row = await topUp(ctx, user, { canisterId, amount, key });
      return { message: 'Cycles Added', canister: await answer(user, row) };
    }),
    route(canisterEndpoints.delete, async ({ user, body }) => {
      const { message, deleted, refunded } = await deleteCanister(ctx, user, {
        canisterId: body.canister_id,
      });
      return { message, deleted, refunded: refunded.toString() };
    }),
    route(canisterEndpoints.install, async ({ user, body, codeOrigin: named, idempotencyKey: key }) => {
      const row = await installDocument(ctx, user, {
        canisterId: body.canister_id,
        identifier: body.identifier,
        mode: body.mode,
        argument: body.argument,
        argumentHex: body.argument_hex,
        wasmMemoryPersistence: body.wasm_memory_persistence,
        skipPreUpgrade: body.skip_pre_upgrade,
        named,
        key,
      });
      await orderAfterInstall(ctx, user, row.id);
      return { data: await answer(user, row) };
    }),
    route(canisterEndpoints.statusLogs, async ({ user, params }) => {
      await findCanister(ctx.db, user.id, params.id);
      const rows = await listLogs(ctx.db, user.id, params.id);
      return rows.map((row) => ({
        id: row.id,
        cycles: row.cycles === null ? null : Number(row.cycles),
        module_hash: row.module_hash,
        status: row.status,
        updated_at: row.updated_at.toISOString(),
      }));
    }),
  ];
}
