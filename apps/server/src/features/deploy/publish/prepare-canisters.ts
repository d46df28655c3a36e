import type { SettingsChange } from '@cannery/contract';
import type { BuiltCanister } from '../../../builders/builder.ts';
import { argumentOf } from './publish-module.ts';
import { type SiteAssets, siteAssets } from './site-assets.ts';

/** Name of the canister of a static site among those of its deploy. */
export const SITE = 'website';

/** What a canister is filled with: everything but its id is known. */
export type PreparedCanister = { readonly name: string; readonly settings: SettingsChange } & (
  | { readonly kind: 'site'; readonly assets: SiteAssets }
  | { readonly kind: 'module'; readonly wasm: Uint8Array; readonly arg: Uint8Array }
);

/**
 * Makes what a build has yielded ready to be published.
 * @throws BuildError for install arguments that do not fit, AppError invalid_input for rules of a site that cannot be used
 */
export async function prepareCanisters(
  built: readonly BuiltCanister[],
  signal: AbortSignal,
): Promise<PreparedCanister[]> {
  const prepared: PreparedCanister[] = [];
  for (const { name: given, content, settings } of built) {
    const name = given ?? SITE;
    if (content.kind === 'site') {
      prepared.push({ name, settings, kind: 'site', assets: await siteAssets(content.files, signal) });
    } else {
      const arg = await argumentOf({ name, module: content });
      prepared.push({ name, settings, kind: 'module', wasm: content.wasm, arg });
    }
  }
  return prepared;
}
