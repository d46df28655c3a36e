import { parentPort, workerData } from 'node:worker_threads';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { saveCompiledCode } from '../store/compiled-code.ts';
import type { SignerReply, SignerRequest } from './signer.ts';

/** A BLS signature costs 7 to 11 ms of pure computation, so it has a thread to itself. */
const { shortSignatures } = bls12_381;
const secretKey = workerData as Uint8Array;

function sign(message: Uint8Array): Uint8Array {
  return shortSignatures.sign(shortSignatures.hash(message), secretKey).toBytes();
}

// The first signature builds the tables of the curve; pay for that before anybody waits.
sign(new Uint8Array(32));

function verify(signature: Uint8Array, message: Uint8Array): boolean {
  try {
    const key = shortSignatures.getPublicKey(secretKey);
    return shortSignatures.verify(signature, shortSignatures.hash(message), key);
  } catch {
    // Bytes that are no point of the curve.
    return false;
  }
}

parentPort?.on('message', (request: SignerRequest) => {
  const { id, message, signature } = request;
  const reply: SignerReply =
    signature === undefined ? { id, signature: sign(message) } : { id, valid: verify(signature, message) };
  parentPort?.postMessage(reply);
});
saveCompiledCode();
