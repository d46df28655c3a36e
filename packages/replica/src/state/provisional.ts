import { sameId } from './canister-id.ts';

/** Who may make cycles from nothing with the `provisional_*` methods: everybody, nobody, or this principal only. */
export type ProvisionalPolicy = 'anyone' | 'nobody' | Uint8Array;

/**
 * The network itself, which controls the system canisters it installs. It is of the reserved class (last byte 0x7f, interface
 * specification, "Principals"): no key and no canister has such a principal, so that no request can come from it.
 */
export const SYSTEM_PRINCIPAL = new Uint8Array([...Buffer.from('cannery system', 'utf8'), 0x7f]);

export function mayMakeCycles(policy: ProvisionalPolicy, sender: Uint8Array): boolean {
  return (
    policy === 'anyone' || sameId(SYSTEM_PRINCIPAL, sender) || (policy !== 'nobody' && sameId(policy, sender))
  );
}
