import type { NetworkService } from '../../http/endpoints/service.ts';
import type { Claim } from './claim.ts';
import { VerificationError } from './verification-error.ts';

/** What certificates are checked against. */
export type Verifier = Pick<NetworkService, 'certifier' | 'state' | 'now'>;

/** Certificates older than this are refused, as gateways of the Internet Computer do. */
const MAX_AGE_NANOS = 300_000_000_000n;
/** A list of versions is a few bytes; what is longer is taken to offer version 2. */
const MAX_VERSIONS_BYTES = 256;

/**
 * Throws `VerificationError` unless the canister certified the response that `claim` is made of: version 2 of response
 * verification, or version 1 for canisters that do not offer version 2. The gateway runs beside the signer, so it knows
 * the signatures: no need to check them by computing.
 */
export function checkClaim({ certifier, state, now }: Verifier, canisterId: Uint8Array, claim: Claim): void {
  const { signature, stateRootHash, timeNanos, version, problem } = claim;
  if (!certifier.isIssued(signature, stateRootHash)) {
    throw new VerificationError('its certificate was not issued by this network in the last minutes');
  }
  if (timeNanos === undefined || now() - timeNanos > MAX_AGE_NANOS) {
    throw new VerificationError('its certificate is too old');
  }
  if (version === 1) checkDowngrade(state, canisterId);
  if (problem !== undefined) throw new VerificationError(problem);
  if (claim.unpacked) throw new VerificationError('its body is too long to be unpacked');
}

/** A canister that offers version 2 may not be answered for with version 1. */
function checkDowngrade(state: Verifier['state'], canisterId: Uint8Array): void {
  const supported = state.metadata(canisterId, 'supported_certificate_versions');
  if (!supported) return;
  const { content, visibility } = supported;
  const isPlain = visibility === 'public' && content.length <= MAX_VERSIONS_BYTES;
  const versions = isPlain ? Buffer.from(content).toString().split(',') : ['2'];
  if (versions.some((version) => version.trim() === '2')) {
    throw new VerificationError('it is certified with version 1 although the canister supports version 2');
  }
}
