import { didToJs, didToTs } from '@ic-reactor/parser';

/** JavaScript bindings of an interface, without any import. */
export interface Bindings {
  /** Module with `idlFactory`. */
  readonly js: string;
  /** Its types. */
  readonly ts: string;
}

/**
 * Translates an interface. Reads text of a tenant by the parser of another, so that it is called in a thread only.
 * @throws what the parser says of a text that is none
 */
export function bindingsOf(candid: string): Bindings {
  return { js: didToJs(candid), ts: didToTs(candid) };
}
