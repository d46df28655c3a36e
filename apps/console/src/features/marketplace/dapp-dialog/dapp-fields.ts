import { type Dapp, type DappKind, dappKinds, FIRST_VERSION } from '@cannery/contract';
import type { Update } from '../api/mutations.ts';

/** The texts of the dialog. */
export interface DappTexts {
  readonly name: string;
  readonly git_url: string;
  readonly description: string;
  readonly version: string;
  readonly notes: string;
}

/** Everything that the dialog takes. */
export interface DappFields extends DappTexts {
  readonly kind: DappKind | undefined;
  readonly wasm: File | undefined;
  readonly icon: File | undefined;
}

/** What the dialog begins with. */
export function startTexts(dapp: Dapp | undefined): DappTexts {
  return {
    name: dapp?.name ?? dapp?.app_name ?? '',
    git_url: dapp?.git_url ?? '',
    description: dapp?.description ?? '',
    version: dapp?.version ?? FIRST_VERSION,
    notes: '',
  };
}

export function kindOf(dapp: Dapp | undefined): DappKind | undefined {
  return dappKinds.find((kind) => kind === dapp?.kind);
}

/** The texts as they are sent. */
export function trimmed(texts: DappTexts): DappTexts {
  return {
    name: texts.name.trim(),
    git_url: texts.git_url.trim(),
    description: texts.description.trim(),
    version: texts.version.trim(),
    notes: texts.notes.trim(),
  };
}

/** The update call: the texts, and of files and what only our service knows what has changed. */
export function updateOf(
  dapp: Dapp,
  { name, description, version, notes, kind }: DappFields,
  { icon, wasm }: { readonly icon: string | undefined; readonly wasm: string | undefined },
): Update {
  return {
    ...(icon !== undefined && { icon }),
    name,
    ...(wasm !== undefined && { wasm }),
    description,
    version,
    ...(kind !== kindOf(dapp) && { kind: kind ?? null }),
    ...(notes !== '' && { notes }),
  };
}
