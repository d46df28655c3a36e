import { sameId } from './canister-id.ts';

/** Who may make cycles from nothing with the `provisional_*` methods: everybody, nobody, or this principal only. */
export type ProvisionalPolicy = 'anyone' | 'nobody' | Uint8Array;

export function mayMakeCycles(policy: ProvisionalPolicy, sender: Uint8Array): boolean {
  return policy === 'anyone' || (policy !== 'nobody' && sameId(policy, sender));
}
