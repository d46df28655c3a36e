import { createHash } from 'node:crypto';
import type { RunPhase } from '@cannery/contract';
import { assetCanisterWasm } from '@cannery/assets';
import { filesText, sizeText } from '../../../builders/site/amount-text.ts';
import { since } from '../../../builders/step/step-runner.ts';
import type { Actor, AppContext } from '../../../context.ts';
import type { CodeOrigin } from '../../../db/tables/code-origin.ts';
import type { NetworkPatience } from '../../../ic/agent/patience.ts';
import { uploadAssets } from '../../../ic/assets/asset-upload.ts';
import { encodeArgument } from '../../canister/code/encode-argument.ts';
import { installCode } from '../../canister/code/install-code.ts';
import { unpackWasm } from '../../canister/code/unpack-wasm.ts';
import { recordStatus } from '../../canister/balance/record-status.ts';
import { findCanister } from '../../canister/core/store.ts';
import { withinLimit } from './publish-limit.ts';
import type { SiteAssets } from './site-assets.ts';
import { visitSite } from './visit-site.ts';
import { markOf } from '../store/run-marks.ts';
import type { DeployRow } from '../store/store.ts';

/** Pause between two lines about the progress of an upload, in milliseconds. */
const PROGRESS_MS = 2_000;

export interface Publication {
  readonly ctx: AppContext;
  readonly user: Actor;
  readonly deploy: DeployRow;
  /** The run. */
  readonly instanceId: string;
  /** How its calls wait for the network. */
  readonly network: NetworkPatience;
  readonly signal: AbortSignal;
  say(line: string, phase?: RunPhase): void;
}

/** Where code comes from that a run puts into a canister. */
export async function originOfRun({ ctx, deploy, instanceId }: Publication): Promise<CodeOrigin> {
  const { id: deployId, name, repository_id: repositoryId } = deploy;
  return { kind: 'run', deployId, name, repositoryId, ...(await markOf(ctx.db, instanceId)) };
}

/** Brings the asset canister to the module of this server; code that somebody else has put in is put in again. */
async function ensureAssetModule(publication: Publication, canisterId: string): Promise<void> {
  const { ctx, user, deploy, say } = publication;
  const wasm = await assetCanisterWasm();
  const wanted = createHash('sha256').update(wasm).digest('hex');
  const installed = await ctx.ic.moduleHash(canisterId);
  const { origin_hash: recorded } = await findCanister(ctx.db, user.id, canisterId);
  if (installed === wanted && recorded === wanted) return;
  say(installed === null ? 'Installing the asset canister' : 'Upgrading the asset canister');
  const mode = installed === null ? 'install' : 'upgrade';
  const arg = await encodeArgument(await unpackWasm(wasm), undefined);
  const origin = await originOfRun(publication);
  const cause = `By the deploy '${deploy.name}'.`;
  await installCode(ctx, user, { canisterId, wasm, mode, arg, origin, cause });
}

/**
 * Makes a canister of the deploy serve exactly these files, and answers its address.
 * @throws BuildError when it takes longer than the operator allows, and when its first page is not served afterwards
 */
export function publishSite(
  publication: Publication,
  { canisterId, assets }: { canisterId: string; assets: SiteAssets },
): Promise<string> {
  const { ctx, network, signal } = publication;
  const { timeoutSeconds } = ctx.config.site;
  const limit = (ms: number): AbortSignal => network.limit(ms);
  return withinLimit({ timeoutSeconds, signal, limit }, (limited) =>
    publish({ ...publication, signal: limited }, { canisterId, assets }),
  );
}

async function publish(
  publication: Publication,
  { canisterId, assets }: { canisterId: string; assets: SiteAssets },
): Promise<string> {
  const { ctx, user, network, signal, say } = publication;
  for (const remark of assets.remarks) say(remark);
  signal.throwIfAborted();
  await ensureAssetModule(publication, canisterId);
  const start = performance.now();
  let lineAt = start + PROGRESS_MS;
  const result = await uploadAssets({
    client: ctx.ic,
    canisterId,
    files: assets.files,
    redirects: assets.redirects,
    signal,
    // What was there beside what comes.
    mostListed: 2 * ctx.config.site.files,
    onProgress: ({ phase, files: seen, uploadedBytes, commits }) => {
      if (performance.now() < lineAt) return;
      lineAt = performance.now() + PROGRESS_MS;
      say(
        phase === 'uploading'
          ? `${seen} of ${filesText(assets.files.length)}, ${sizeText(uploadedBytes)} sent`
          : `All files are sent; ${commits.done} of ${commits.all} parts of the change are made`,
      );
    },
  });
  const sent = `${sizeText(result.uploadedBytes)} sent`;
  say(
    `${filesText(result.changed)} new or changed, ${result.unchanged} unchanged, ${result.deleted} removed; ${sent} in ${since(start)}.`,
  );
  await recordStatus(ctx, user, canisterId);
  const address = ctx.addresses.canisterUrlPattern.replaceAll('{canisterId}', canisterId);
  const wasAway = async (): Promise<boolean> => {
    const { outages } = network;
    await ctx.ic.moduleHash(canisterId);
    return network.outages > outages;
  };
  if (!(await visitSite(address, signal, wasAway)))
    say(`This server cannot reach ${address}, so the page is not looked at.`);
  return address;
}
