/** One canister module that tries to do harm, and how. */
export interface Attack {
  readonly name: string;
  readonly module: () => Uint8Array;
  readonly by: AttackKind;
  /** The IC error code it ends with; `ok` when it is let through and answered, because it does no harm. */
  readonly ends: string;
}

/**
 * `install`: the installation itself. `upgrade`: the module is installed, then upgraded to itself. Otherwise the module
 * is installed and its method `f` called: `update`, `query`, or refused before it is queued (`ingress`). `task`: it is
 * installed and the code of the error shows in its log, if at all.
 */
export type AttackKind = 'install' | 'upgrade' | 'update' | 'query' | 'ingress' | 'task';

export const OK = 'ok';
export const TRAP = 'IC0502';
export const CONTRACT = 'IC0504';
export const INVALID_MODULE = 'IC0505';
export const NO_REPLY = 'IC0506';
export const INSTRUCTIONS = 'IC0522';
