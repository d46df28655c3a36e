import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_CANISTER_NAME } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import type { Actor } from '../../../http/actor.ts';
import type { EnvironmentVariable } from '../../../ic/management/funding.ts';
import { carryOutIntent } from '../payment/carry-out-intent.ts';
import { awaitEarlierPayment, type PaymentRequest } from '../payment/earlier-payment.ts';
import { intendPayment } from '../payment/intend-payment.ts';
import { AppError } from '../../../errors.ts';
import { findRegistry } from '../../registry/store.ts';
import { encodeArgument } from '../code/encode-argument.ts';
import { installCode, uploadedModule } from '../code/install-code.ts';
import { checkedName, findCanister } from '../core/store.ts';
import { unpackWasm } from '../code/unpack-wasm.ts';

/** How long a request waits for the installation that the same request, sent before, has begun; milliseconds. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 100;

/**
 * Creates a canister, paid from the account; it starts with the cycles that were paid, less what a cycles ledger and the
 * network take for it on mainnet.
 * @param input.key what the client calls this request: of requests of one key, one is carried out and all get its answer
 * @param input.deploy the deploy that will fill the canister, and has it from the moment it exists, under its name in the project
 * @param input.cycles what it starts with; the usual amount where absent
 * @throws AppError insufficient_balance, network_rejected or network_unavailable; invalid_input for the key of another
 * request, and for a name that is too long
 */
export async function createCanister(
  ctx: AppContext,
  user: Actor,
  input: {
    name?: string;
    environmentVariables?: readonly EnvironmentVariable[];
    key?: string;
    deploy?: { id: string; part: string };
    cycles?: bigint;
  },
): Promise<{ id: string }> {
  const cost = input.cycles ?? ctx.config.canisterCreateCost;
  const canisterName = nameOf(input.name);
  const request: PaymentRequest = { kind: 'create', key: input.key, cycles: cost };
  for (;;) {
    const earlier = await awaitEarlierPayment(ctx, user, request);
    if (earlier !== undefined) return { id: earlier };
    const call = await ctx.ic.signCreate({
      cyclesAmount: cost,
      environmentVariables: input.environmentVariables ?? [],
    });
    ctx.failpoint('create.signed');
    const intent = await intendPayment(ctx, user, {
      ...request,
      lease: undefined,
      canisterName,
      cyclesBefore: null,
      deploy: input.deploy,
      call,
    });
    if (intent === undefined) continue;
    ctx.failpoint('create.intended');
    return { id: await carryOutIntent(ctx, intent) };
  }
}

function nameOf(given: string | undefined): string {
  const name = checkedName(given ?? '');
  return name === '' ? DEFAULT_CANISTER_NAME : name;
}

/**
 * Creates a canister and installs the newest module of a registry in it. What would keep the module from being
 * installed is found before anything is paid, as far as it can be known: a module that needs arguments is refused.
 * @param input.key as for `createCanister`; a request sent again also installs what the first one could not any more
 * @throws AppError as `createCanister` and `installCode`; not_found, also for somebody else's registry
 */
export async function createWithRegistry(
  ctx: AppContext,
  user: Actor,
  { name, key, registryId }: { name?: string; key?: string; registryId: string },
): Promise<{ id: string }> {
  const { identifier, name: registryName, version } = await findRegistry(ctx.db, user.id, registryId);
  const wasm = await uploadedModule(ctx, user, identifier);
  const arg = await encodeArgument(await unpackWasm(wasm), undefined);
  const { id } = await createCanister(ctx, user, { name, key });
  const origin = { kind: 'registry', registryId, name: registryName, version } as const;
  for (const giveUpAt = performance.now() + PATIENCE_MS; ; await delay(RETRY_MS)) {
    const { module_hash: installed } = await findCanister(ctx.db, user.id, id);
    if (installed !== null) return { id };
    try {
      await installCode(ctx, user, { canisterId: id, wasm, arg, mode: 'install', origin });
      return { id };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // The same request may be installing it at this moment.
      if (error.code === 'canister_busy' && performance.now() < giveUpAt) continue;
      throw new AppError(
        error.code,
        `The canister ${id} is created and empty: the module was not installed. ${error.message}`,
        { detail: error.detail, cause: error },
      );
    }
  }
}
