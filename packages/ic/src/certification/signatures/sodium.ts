import { createRequire } from 'node:module';

/** What is used here of libsodium, under the names that `sodium-native` gives it. */
export interface Sodium {
  crypto_hash_sha256(digest: Uint8Array, input: Uint8Array): void;
  crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): void;
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void;
  crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

/**
 * libsodium, or null where the package has no binary that loads: there is one for x64 and arm64 under Windows, macOS and
 * Linux with glibc 2.33. Elsewhere the crypto library of Node does the same, in twice the time.
 */
export const sodium: Sodium | null = load();

function load(): Sodium | null {
  try {
    return createRequire(import.meta.url)('sodium-native') as Sodium;
  } catch {
    return null;
  }
}
