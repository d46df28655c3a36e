import { blsVerify } from '@icp-sdk/core/agent';

/** Whether a signature of a message fits a key. */
type Verify = (key: Uint8Array, signature: Uint8Array, message: Uint8Array) => boolean;

/** More than the certificates under way at a time; each is about 400 characters. */
const KEPT = 256;

/**
 * A check that does not repeat itself. The network signs its state once for all calls of a round, and mainnet's
 * certificates carry the same delegation for long; a check takes about 20 ms of processor time.
 */
export function verifyOnce(verify: Verify): Verify {
  const good = new Set<string>();
  return (key, signature, message) => {
    const name = [key, signature, message].map((bytes) => Buffer.from(bytes).toString('hex')).join(':');
    if (good.has(name)) return true;
    if (!verify(key, signature, message)) return false;
    good.add(name);
    const [oldest] = good;
    if (good.size > KEPT && oldest !== undefined) good.delete(oldest);
    return true;
  };
}

/** Checks the signature of a certificate. */
export const verifyCertificate = verifyOnce(blsVerify);
