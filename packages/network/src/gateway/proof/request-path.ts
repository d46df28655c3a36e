import { VerificationError } from './verification-error.ts';

/** Most parts of an address that is verified; sites have folders in folders, a few deep. */
export const MAX_SEGMENTS = 1_024;

/** The path of an address, percent-decoded. Throws `VerificationError`. */
export function decodedPath(url: string): string {
  const path = url.split('?', 1)[0] ?? '/';
  try {
    return decodeURIComponent(path);
  } catch {
    throw new VerificationError('its address is not properly percent-encoded');
  }
}

/** The parts of a path. `/app` and `/app/` differ: the second ends with an empty part. No other one is empty. */
export function segmentsOf(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  return path.endsWith('/') ? [...segments, ''] : segments;
}
