import {
  type Dapp,
  type DappKind,
  dappKinds,
  FIRST_VERSION,
  ICON_TYPES,
  isIconFile,
  isWasmFile,
} from '@cannery/contract';
import { useState } from 'react';
import type { Update } from '../api/mutations.ts';

/** The texts of the dialog. */
interface DappTexts {
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
  /** The canister whose picture it takes; '' for none, and undefined for the one that it has. */
  readonly picture: string | undefined;
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
  { name, description, version, notes, kind, picture }: DappFields,
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
    ...(picture !== undefined && { picture }),
  };
}

interface FileRule {
  readonly accept: string;
  readonly fits: (file: File) => boolean;
  readonly refusal: string;
  readonly isRequired?: boolean;
}

export const WASM_FILE: FileRule = {
  accept: '.wasm,application/wasm',
  fits: isWasmFile,
  refusal: 'Invalid file format. Only WASM allowed.',
};

export const ICON_FILE: FileRule = {
  accept: ICON_TYPES.join(','),
  fits: isIconFile,
  refusal: 'Invalid file format. Only PNG, GIF or JPEG allowed.',
};

/** A file of the dialog with its rule: one that does not fit is not taken. */
export function useDappFile({ fits, refusal, isRequired = false }: FileRule) {
  const [file, setFile] = useState<File>();
  const [error, setError] = useState<string>();

  const choose = (chosen: File | undefined): void => {
    const isTaken = chosen === undefined || fits(chosen);
    setFile(isTaken ? chosen : undefined);
    setError(isTaken ? undefined : refusal);
  };

  /** Whether the dapp can be saved with it. */
  const check = (): boolean => {
    if (error !== undefined && error !== REQUIRED) return false;
    const isMissing = isRequired && file === undefined;
    setError(isMissing ? REQUIRED : undefined);
    return !isMissing;
  };

  return { file, error, choose, check };
}

const REQUIRED = 'Required';
