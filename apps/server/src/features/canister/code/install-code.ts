import { createHash } from 'node:crypto';
import { type InstallMode, type NamedOrigin, originHeader } from '@cannery/contract';
import { DamagedBlobError, MissingBlobError } from '../../../blobs/blob-store.ts';
import type { AppContext } from '../../../context.ts';
import { AppError, notFound } from '../../../errors.ts';
import { hashOfRequest, type NamedRequest } from '../../../db/answer-once.ts';
import type { CodeOrigin } from '../../../db/tables/code-origin.ts';
import type { IntendedChange } from '../../../db/tables/core-tables.ts';
import type { Actor } from '../../../http/actor.ts';
import type { SignedCall } from '../../../ic/replies/call-outcome.ts';
import { isChunked } from '../../../ic/management/install-code.ts';
import { KEEPS_MEMORY } from '../../document/wasm-module.ts';
import { isPublishedModule } from '../../document/published.ts';
import { lockAccount } from '../../account/store.ts';
import { ownsDocument } from '../../document/store.ts';
import { checkedArgument, encodeArgument } from './encode-argument.ts';
import { carryOutIntent } from '../payment/carry-out-intent.ts';
import { awaitEarlierInstall, findEarlierInstall } from './earlier-install.ts';
import { type Intent, insertIntent } from '../payment/intents.ts';
import { shortHash } from '../core/changes.ts';
import { recordStatus } from '../balance/record-status.ts';
import { originOf } from './origin-of.ts';
import { runAction } from '../core/run-action.ts';
import { exportsHttp } from './exports-http.ts';
import { type CanisterRow, findCanister } from '../core/store.ts';
import { unpackWasm } from './unpack-wasm.ts';
import { metadataSection } from './wasm-sections.ts';

/** Choices of an upgrade. */
export interface UpgradeOptions {
  /** What happens to main memory; chosen by the module where absent. */
  readonly wasmMemoryPersistence?: 'keep' | 'replace';
  readonly skipPreUpgrade?: boolean;
}

export interface InstallInput extends UpgradeOptions {
  readonly canisterId: string;
  readonly wasm: Uint8Array;
  /** Candid-encoded. */
  readonly arg: Uint8Array;
  readonly mode: InstallMode;
  /** Where the module comes from. */
  readonly origin: CodeOrigin;
  /** A sentence for the canister's history about what installs, when it is not the user by hand. */
  readonly cause?: string;
  /** The request of a client; without one, or without its key, the installation is carried out each time. */
  readonly request?: NamedRequest;
}

const changeOf = { install: 'installed', upgrade: 'upgraded', reinstall: 'reinstalled' } as const;

/**
 * Installs a module in a canister of the user. Upgrades keep main memory by themselves where the installed module
 * needs it.
 * @throws AppError invalid_input for choices that contradict each other or the modules, install_failed with the
 * network's own reason
 */
export async function installCode(ctx: AppContext, user: Actor, input: InstallInput): Promise<CanisterRow> {
  const { canisterId, mode } = input;
  if (mode !== 'upgrade' && (input.wasmMemoryPersistence !== undefined || input.skipPreUpgrade === true)) {
    throw new AppError(
      'invalid_input',
      'Keeping main memory and skipping pre_upgrade are choices of an upgrade only. Leave them out, or choose upgrade.',
    );
  }
  return runAction(ctx, user, canisterId, async (canister) => {
    ctx.failpoint('install.claimed');
    return putCode(ctx, user, canister, input);
  });
}

/** Installs a module within an action that has claimed the canister. @throws as `installCode` */
export async function putCode(
  ctx: AppContext,
  user: Actor,
  canister: CanisterRow,
  input: Omit<InstallInput, 'canisterId'>,
): Promise<CanisterRow> {
  const { wasm, arg, mode, cause, request } = input;
  const origin = { ...input.origin, servesHttp: await exportsHttp(wasm) };
  const options = mode === 'upgrade' ? await upgradeOptions(ctx, canister.id, input) : {};
  const onUploaded = (): void => ctx.failpoint('install.chunked');
  const call = await ctx.ic.signInstall({ canisterId: canister.id, wasm, arg, mode, ...options, onUploaded });
  ctx.failpoint('install.signed');
  const moduleHash = hashOf(wasm);
  const skipped = options.skipPreUpgrade === true ? ' pre_upgrade was skipped.' : '';
  const detail = `Code ${shortHash(moduleHash)}.${skipped}${cause === undefined ? '' : ` ${cause}`}`;
  const change = { kind: changeOf[mode], detail, moduleHash, origin, chunked: isChunked({ wasm, arg }) };
  await carryOutIntent(ctx, await intendInstall(ctx, user, canister, { change, call, request }));
  return recordStatus(ctx, user, canister.id, { known: { moduleHash } });
}

/** Written before the call is sent, so that after a crash the new code is told from one that others have installed. */
async function intendInstall(
  ctx: AppContext,
  user: Actor,
  canister: CanisterRow,
  { change, call, request }: { change: IntendedChange; call: SignedCall; request: NamedRequest | undefined },
): Promise<Intent> {
  const key = request?.key;
  const intent = await ctx.fence.pass(() =>
    ctx.transact(async (tx) => {
      if (request !== undefined && key !== undefined) {
        // Nobody else can begin a request of this account from here on; one may have ended before the canister was claimed.
        await lockAccount(tx, user.id);
        if ((await findEarlierInstall(tx, { ...request, key })) !== undefined) {
          throw new AppError(
            'canister_busy',
            'The same request has just been carried out. Send it again to see its result.',
          );
        }
      }
      return insertIntent(tx, {
        kind: 'install',
        userId: user.id,
        holdId: null,
        canisterId: canister.id,
        lease: canister.action_id,
        canisterName: canister.name,
        cycles: 0n,
        cyclesBefore: null,
        requestKey: key,
        change: { ...change, ...(request?.key !== undefined && { requestHash: hashOfRequest(request) }) },
        call,
      });
    }),
  );
  ctx.failpoint('install.intended');
  return intent;
}

async function upgradeOptions(
  ctx: AppContext,
  canisterId: string,
  { wasm, wasmMemoryPersistence: chosen, skipPreUpgrade }: UpgradeOptions & { wasm: Uint8Array },
): Promise<UpgradeOptions> {
  const installedKeeps = (await ctx.ic.metadata(canisterId, KEEPS_MEMORY)) !== undefined;
  const persistence = chosen ?? (installedKeeps ? 'keep' : undefined);
  if (persistence === 'keep' && metadataSection(await unpackWasm(wasm), KEEPS_MEMORY) === undefined) {
    throw new AppError(
      'invalid_input',
      'Main memory cannot be kept: the new module is not made for it (it has no enhanced orthogonal persistence).' +
        (installedKeeps ? ' The installed one is, so its data would be lost.' : '') +
        ' Upgrade with main memory replaced only when stable memory holds all that matters.',
    );
  }
  return {
    ...(persistence === undefined ? {} : { wasmMemoryPersistence: persistence }),
    ...(skipPreUpgrade === true ? { skipPreUpgrade } : {}),
  };
}

/** The module hash is that of the bytes as sent, packed or not. */
function hashOf(wasm: Uint8Array): string {
  return createHash('sha256').update(wasm).digest('hex');
}

/**
 * A module the user has uploaded, or one of the marketplace.
 * @throws AppError not_found for an identifier that is neither
 */
export async function uploadedModule(ctx: AppContext, user: Actor, identifier: string): Promise<Buffer> {
  const isOwn = await ownsDocument(ctx.db, { identifier, userId: user.id, kind: 'wasm' });
  if (!isOwn && !(await isPublishedModule(ctx.db, identifier))) throw notFound('Uploaded file');
  return ctx.blobs.get(identifier).catch((error: unknown) => {
    if (!(error instanceof MissingBlobError || error instanceof DamagedBlobError)) throw error;
    throw new AppError('not_found', 'The uploaded file is not there any more. Upload it again.', {
      cause: error,
    });
  });
}

/**
 * Installs a module the user has uploaded, or one of the marketplace.
 * @param input.named what the client takes the module from
 * @param input.key what the client calls this request: of requests of one key, one is carried out and all get its answer
 * @param input.argument Candid text; `argumentHex` is Candid-encoded, and only one of them may be given
 * @throws AppError not_found for an identifier that is neither, invalid_input for arguments that do not fit
 */
export async function installDocument(
  ctx: AppContext,
  user: Actor,
  input: UpgradeOptions & {
    canisterId: string;
    identifier: string;
    mode: InstallMode;
    argument?: string;
    argumentHex?: string;
    named?: NamedOrigin | undefined;
    key?: string;
  },
): Promise<CanisterRow> {
  const { identifier, argument, argumentHex, named, key, ...install } = input;
  if (argument !== undefined && argumentHex !== undefined) {
    throw new AppError('invalid_input', 'Give the install arguments either as text or as hex, not both.');
  }
  const { canisterId, mode, wasmMemoryPersistence = null, skipPreUpgrade } = install;
  const choices = [mode, wasmMemoryPersistence, skipPreUpgrade === true ? 'skip' : null];
  const content = ['install', canisterId, identifier, ...choices, argument ?? null, argumentHex ?? null];
  if (named !== undefined) content.push(originHeader(named));
  const request = { userId: user.id, key, content };
  if (await awaitEarlierInstall(ctx, request)) return findCanister(ctx.db, user.id, canisterId);
  const origin = await originOf(ctx.db, user, { identifier, named });
  const code = await codeToInstall(ctx, user, { identifier, argument, argumentHex });
  return installCode(ctx, user, { ...install, ...code, origin, request });
}

/**
 * A module that the user may install, and its arguments encoded.
 * @throws AppError not_found for an identifier that is neither, invalid_input for arguments that do not fit
 */
export async function codeToInstall(
  ctx: AppContext,
  user: Actor,
  input: { identifier: string; argument?: string | undefined; argumentHex?: string | undefined },
): Promise<{ wasm: Uint8Array; arg: Uint8Array }> {
  const wasm = await uploadedModule(ctx, user, input.identifier);
  const unpacked = await unpackWasm(wasm);
  const arg =
    input.argumentHex === undefined
      ? await encodeArgument(unpacked, input.argument)
      : await checkedArgument(unpacked, Buffer.from(input.argumentHex, 'hex'));
  return { wasm, arg };
}
