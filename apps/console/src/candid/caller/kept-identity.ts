import { keepKeys, readKeys } from '../kept/key-store.ts';
import { BrowserIdentity, makeKeys } from './browser-identity.ts';

/** The identity that this browser keeps, if any. Rejects when it keeps nothing. */
export async function keptIdentity(): Promise<BrowserIdentity | undefined> {
  const keys = await readKeys();
  return keys && BrowserIdentity.of(keys);
}

/** A new identity, kept instead of any before. Rejects when the browser cannot keep one. */
export async function newIdentity(): Promise<BrowserIdentity> {
  const keys = await makeKeys();
  await keepKeys(keys);
  return BrowserIdentity.of(keys);
}

/** The principal of the identity that this browser keeps, and makes where there is none. Rejects when it cannot keep one. */
export async function ownPrincipal(): Promise<string> {
  const identity = (await keptIdentity()) ?? (await newIdentity());
  return identity.getPrincipal().toText();
}
