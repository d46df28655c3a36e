import { ICON_TYPES, isIconFile, isWasmFile } from '@cannery/contract';
import { useState } from 'react';

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
