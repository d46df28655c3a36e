import { CandidError, encodeText, parseInitArgs, parseService } from '@cannery/candid';
import { AppError } from '../../errors.ts';
import { metadataSection } from './wasm-sections.ts';

/** `()` in Candid: the magic, no types, no values. */
export const EMPTY_ARGUMENT = Uint8Array.from([0x44, 0x49, 0x44, 0x4c, 0x00, 0x00]);

/**
 * Encodes install arguments written as Candid text, for the types the module itself names in its metadata.
 * @param wasm the module, unpacked
 * @param text such as `("Ada", 5)`; nothing means no arguments
 * @throws AppError invalid_input when the text does not fit, or the module names no types for it
 */
export function encodeArgument(wasm: Uint8Array, text: string | undefined): Uint8Array {
  const given = (text ?? '').trim();
  try {
    const types = initTypes(wasm);
    if (types !== undefined) return encodeText(given, types);
  } catch (error) {
    if (!(error instanceof CandidError)) throw error;
    throw new AppError('invalid_input', `The install arguments do not fit: ${error.message}.`, {
      cause: error,
    });
  }
  if (given === '' || /^\(\s*\)$/.test(given)) return EMPTY_ARGUMENT;
  throw new AppError(
    'invalid_input',
    'This module does not say which install arguments it takes, so only an empty argument can be sent.',
  );
}

function initTypes(wasm: Uint8Array): ReturnType<typeof parseInitArgs>['types'] | undefined {
  const args = metadataSection(wasm, 'candid:args');
  if (args !== undefined) return parseInitArgs(textOf(args)).types;
  const service = metadataSection(wasm, 'candid:service');
  return service === undefined ? undefined : parseService(textOf(service)).initArgs?.types;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
