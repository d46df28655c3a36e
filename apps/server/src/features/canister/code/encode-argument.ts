import { CandidError } from '@cannery/candid';
import { AppError } from '../../../errors.ts';
import { onCandid } from '../../../candid/candid-thread.ts';
import type { ArgumentTypes } from '../../../candid/candid-work.ts';
import { metadataSection } from './wasm-sections.ts';

/** `()` in Candid: the magic, no types, no values. */
export const EMPTY_ARGUMENT = Uint8Array.from([0x44, 0x49, 0x44, 0x4c, 0x00, 0x00]);

/**
 * Encodes install arguments written as Candid text, for the types the module itself names in its metadata.
 * @param wasm the module, unpacked
 * @param text such as `("Ada", 5)`; nothing means no arguments
 * @throws AppError invalid_input when the text does not fit, or the module names no types for it
 */
export async function encodeArgument(wasm: Uint8Array, text: string | undefined): Promise<Uint8Array> {
  const given = (text ?? '').trim();
  const declared = declaredTypes(wasm);
  if (declared !== undefined) {
    const encoded = await onCandid('encode', declared, given).catch(refuse);
    if (encoded !== undefined) return encoded;
  }
  if (given === '' || /^\(\s*\)$/.test(given)) return EMPTY_ARGUMENT;
  throw new AppError(
    'invalid_input',
    'This module does not say which install arguments it takes, so only an empty argument can be sent.',
  );
}

/**
 * Install arguments that are encoded already, checked against the types the module names; where it names none, they are
 * sent as they are.
 * @param wasm the module, unpacked
 * @throws AppError invalid_input when they do not fit
 */
export async function checkedArgument(wasm: Uint8Array, argument: Uint8Array): Promise<Uint8Array> {
  const declared = declaredTypes(wasm);
  if (declared !== undefined) await onCandid('check', declared, argument).catch(refuse);
  return argument;
}

function refuse(error: unknown): never {
  if (!(error instanceof CandidError)) throw error;
  throw new AppError('invalid_input', `The install arguments do not fit: ${error.message}.`, {
    cause: error,
  });
}

function declaredTypes(wasm: Uint8Array): ArgumentTypes | undefined {
  const [args, service] = (['candid:args', 'candid:service'] as const).map((section) => {
    const bytes = metadataSection(wasm, section);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
  });
  if (args !== undefined) return { section: 'candid:args', text: args, service };
  return service === undefined ? undefined : { section: 'candid:service', text: service };
}
