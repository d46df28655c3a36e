import { badRequest } from '../../http/transport/request-error.ts';
import { decodedPath, MAX_SEGMENTS, segmentsOf } from '../proof/request-path.ts';
import { VerificationError } from '../proof/verification-error.ts';

/**
 * The address of the same page without empty parts, as in `/a//b`: response verification takes no notice of them, while
 * canisters do, and prove something else then. Throws `RequestError` 400 where no page of this address can be verified.
 */
export function plainAddress(url: string): string {
  if (url.includes('#')) throw badRequest('Its address has a number sign, which is not part of an address.');
  const path = pathOf(url);
  const segments = segmentsOf(path);
  if (segments.length > MAX_SEGMENTS) throw badRequest(`Its address has more than ${MAX_SEGMENTS} parts.`);
  if (!path.includes('//')) return url;
  const query = url.indexOf('?');
  return `/${segments.map(encodeURIComponent).join('/')}${query < 0 ? '' : url.slice(query)}`;
}

function pathOf(url: string): string {
  try {
    return decodedPath(url);
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    throw badRequest('Its address is not properly percent-encoded.');
  }
}
