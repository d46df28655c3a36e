import { createHash } from 'node:crypto';
import { isGoodInThread, type Signed } from './signature-thread.ts';

/** Whether a signature of a message fits a key. */
type Verify = (...signed: Signed) => Promise<boolean>;

/** More than the certificates under way at a time. */
const KEPT = 256;

/**
 * A check that does not repeat itself. The network signs its state once for all calls of a round, and mainnet's
 * certificates carry the same delegation for long; a check takes about 6 ms of processor time.
 */
export function verifyOnce(verify: Verify): Verify {
  const known = new Map<string, Promise<boolean>>();
  return (...signed) => {
    const name = nameOf(signed);
    const kept = known.get(name);
    if (kept !== undefined) return kept;
    const check = verify(...signed);
    known.set(name, check);
    const forget = (): unknown => known.delete(name);
    check.then((isGood) => isGood || forget(), forget);
    const [oldest] = known.keys();
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
    return check;
  };
}

/** A hash of fixed length, however long what comes from the network is. */
function nameOf(signed: Signed): string {
  const hash = createHash('sha256');
  for (const bytes of signed) hash.update(`${bytes.length}:`).update(bytes);
  return hash.digest('base64');
}

/** Checks the signature of a certificate. */
export const verifyCertificate = verifyOnce(isGoodInThread);
