import { bytesText } from '../shown-texts.ts';
import type { BlobSource, ChosenFile, FieldState } from './field-state.ts';

/** The largest call that the network takes over its HTTP interface, all of it counted (2 MiB, resource limits of the IC). */
const MAX_CALL_BYTES = 2 * 1024 * 1024;
/** What is in a call beside its arguments: the caller, its key, a chain of delegations, the longest name of a method. */
const ENVELOPE_BYTES = 32 * 1024;

/** Most bytes of the arguments of a call. */
export const MAX_ARGUMENT_BYTES = MAX_CALL_BYTES - ENVELOPE_BYTES;

/** Why this many bytes cannot be sent, or undefined where they can. @param what such as `This file` */
export function sizeProblem(what: string, length: number): string | undefined {
  if (length <= MAX_ARGUMENT_BYTES) return undefined;
  return `${what} has ${bytesText(length)}. A call takes 2 MiB at most, so ${bytesText(MAX_ARGUMENT_BYTES)} of arguments.`;
}

/** The bytes of hexadecimal digits; blanks, `:` and a leading 0x are ignored. Undefined when they are none. */
export function hexBytes(text: string): Uint8Array | undefined {
  const digits = text.replace(/^\s*0x/i, '').replace(/[\s:_]/g, '');
  if (digits.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(digits)) return undefined;
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  );
}

/** Bytes as hexadecimal digits without blanks. */
export function hexText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

function fileBytes(file: ChosenFile | undefined): Uint8Array | string {
  if (file === undefined) return 'Choose a file first';
  return sizeProblem('This file', file.size) ?? file.bytes;
}

/** The bytes entered for a blob, or a sentence on what is wrong. */
export function blobBytes(state: Extract<FieldState, { kind: 'blob' }>): Uint8Array | string {
  switch (state.source) {
    case 'text':
      return new TextEncoder().encode(state.text);
    case 'file':
      return fileBytes(state.file);
    case 'hex':
      return hexBytes(state.text) ?? 'Enter pairs of hexadecimal digits, such as de ad be ef';
  }
}

/** Enters the bytes of a blob in another way; they stay the same where the new way can say them. */
export function switchSource(
  state: Extract<FieldState, { kind: 'blob' }>,
  source: BlobSource,
): Extract<FieldState, { kind: 'blob' }> {
  const bytes = blobBytes(state);
  if (source === 'file' || state.source === 'file' || typeof bytes === 'string') return { ...state, source };
  const text = source === 'hex' ? hexText(bytes) : readableText(bytes);
  return { ...state, source, text: text ?? '' };
}

function readableText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
