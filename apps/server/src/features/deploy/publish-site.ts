import { createHash } from 'node:crypto';
import { assetCanisterWasm } from '@cannery/assets';
import type { SiteFile } from '../../build/publish-directory.ts';
import { since } from '../../build/step-runner.ts';
import type { Actor, AppContext } from '../../context.ts';
import { uploadAssets } from '../../ic/asset-upload.ts';
import { encodeArgument } from '../canister/encode-argument.ts';
import { installCode } from '../canister/install-code.ts';
import { unpackWasm } from '../canister/unpack-wasm.ts';
import { recordStatus } from '../canister/record-status.ts';
import { deployCanister } from './deploy-canister.ts';
import { siteAssets } from './site-assets.ts';
import type { DeployRow } from './store.ts';

/** Pause between two lines about the progress of an upload, in milliseconds. */
const PROGRESS_MS = 2_000;

export interface Publication {
  readonly ctx: AppContext;
  readonly user: Actor;
  readonly deploy: DeployRow;
  readonly signal: AbortSignal;
  say(line: string): void;
}

/** Brings the asset canister to the module of this server. */
async function ensureAssetModule({ ctx, user, deploy, say }: Publication, canisterId: string): Promise<void> {
  const wasm = await assetCanisterWasm();
  const wanted = createHash('sha256').update(wasm).digest('hex');
  const installed = await ctx.ic.moduleHash(canisterId);
  if (installed === wanted) return;
  say(installed === null ? 'Installing the asset canister' : 'Upgrading the asset canister');
  const mode = installed === null ? 'install' : 'upgrade';
  const arg = await encodeArgument(await unpackWasm(wasm), undefined);
  await installCode(ctx, user, { canisterId, wasm, mode, arg, cause: `By the deploy '${deploy.name}'.` });
}

/** Makes the deploy's canister serve exactly these files, and answers its address. */
export async function publishSite(publication: Publication, files: readonly SiteFile[]): Promise<string> {
  const { ctx, user, deploy, signal, say } = publication;
  say('==> Publishing');
  const assets = await siteAssets(files);
  for (const remark of assets.remarks) say(remark);
  const canisterId = await deployCanister(ctx, user, deploy, say);
  signal.throwIfAborted();
  await ensureAssetModule(publication, canisterId);
  const start = Date.now();
  let lineAt = start + PROGRESS_MS;
  const result = await uploadAssets({
    client: ctx.ic,
    canisterId,
    files: assets.files,
    signal,
    onProgress: ({ files: seen, uploadedBytes }) => {
      if (Date.now() < lineAt) return;
      lineAt = Date.now() + PROGRESS_MS;
      say(`${seen} of ${assets.files.length} files, ${(uploadedBytes / 1024).toFixed(0)} kB sent`);
    },
  });
  const sent = `${(result.uploadedBytes / 1024).toFixed(0)} kB sent`;
  say(
    `${result.changed} files new or changed, ${result.unchanged} unchanged, ${result.deleted} removed; ${sent} in ${since(start)}.`,
  );
  await recordStatus(ctx, user, canisterId);
  return ctx.addresses.canisterUrlPattern.replaceAll('{canisterId}', canisterId);
}
