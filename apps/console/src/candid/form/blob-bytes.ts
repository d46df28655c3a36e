import type { FieldState } from './field-state.ts';

/** The bytes of hexadecimal digits; blanks, `:` and a leading 0x are ignored. Undefined when they are none. */
export function hexBytes(text: string): Uint8Array | undefined {
  const digits = text.replace(/^\s*0x/i, '').replace(/[\s:_]/g, '');
  if (digits.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(digits)) return undefined;
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  );
}

/** The bytes entered for a blob, or a sentence on what is wrong. */
export function blobBytes(state: Extract<FieldState, { kind: 'blob' }>): Uint8Array | string {
  switch (state.source) {
    case 'text':
      return new TextEncoder().encode(state.text);
    case 'file':
      return state.file?.bytes ?? 'Choose a file';
    case 'hex':
      return hexBytes(state.text) ?? 'Enter pairs of hexadecimal digits, such as de ad be ef';
  }
}
