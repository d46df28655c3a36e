import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { replicaErrors } from '@cannery/ic/errors';
import type { Environment } from '../../execution/environment.ts';
import type { Canister } from '../../state/canister.ts';
import { includesId, sameId } from '../../state/canister-id.ts';
import type { ChangeOrigin } from '../../state/history.ts';
import type { Origin } from '../../state/message.ts';
import type { Visibility } from '../../state/settings.ts';
import type { Transaction } from '../../state/transaction.ts';
import { type IcMethods, icMethods } from '@cannery/ic/generated/ic-interface';
import { decodeArgument } from './decode-argument.ts';

/** A call of the management canister being carried out. */
export interface ManagementCall {
  readonly env: Environment;
  readonly tx: Transaction;
  readonly sender: Uint8Array;
  readonly origin: Origin;
  readonly callerVersion: bigint | undefined;
  /** Cycles of the call that the method did not take; they go back with the answer. */
  cycles: bigint;
}

/** Returned by a method that answers the call later by itself. */
export const ANSWERED_LATER = Symbol('answered later');

/**
 * Who may call. `controllers`: controllers of the target. `controllers-or-self`: also the target itself. `viewers`:
 * controllers and whom the visibility admits, `viewers-or-self` also the target itself. `anyone`: everybody.
 * `provisional`: whom the network makes cycles for. `canisters`: never by ingress.
 */
type Callers =
  | { readonly kind: 'anyone' | 'provisional' | 'canisters' | 'controllers' | 'controllers-or-self' }
  | {
      readonly kind: 'viewers' | 'viewers-or-self';
      readonly visibility: (canister: Canister) => Visibility;
    };

type MethodName = keyof IcMethods;
type ArgOf<Name extends MethodName> = IcMethods[Name]['arg'];

interface Definition<Name extends MethodName> {
  /** As ic.did has it, which says the types of argument and result. */
  readonly name: Name;
  readonly callers: Callers;
  /** `also`: may be asked as a query too; `only`: not callable as an update. */
  readonly query?: 'also' | 'only';
  /** A call is carried out in a later round than it came in, when what it asks for did not exist yet. */
  readonly nextRound?: boolean;
  /** The canister the permission is about. */
  readonly target?: (arg: ArgOf<Name>) => Principal;
}

interface UpdateDefinition<Name extends MethodName> extends Definition<Name> {
  run(call: ManagementCall, arg: ArgOf<Name>): unknown;
}

interface QueryDefinition<Name extends MethodName> extends Definition<Name> {
  readonly query: 'also' | 'only';
  read(env: Environment, arg: ArgOf<Name>): unknown;
}

/** One row of the table of management methods. */
export interface ManagementMethod {
  readonly name: string;
  readonly callers: Callers;
  readonly query: 'also' | 'only' | undefined;
  readonly nextRound: boolean;
  readonly argType: IDL.Type | undefined;
  readonly resultType: IDL.Type | undefined;
  decode(bytes: Uint8Array): unknown;
  encode(value: unknown): Uint8Array;
  target(arg: unknown): Uint8Array | undefined;
  run(call: ManagementCall, arg: unknown): unknown;
  read(env: Environment, arg: unknown): unknown;
}

/** Builds a row; `run` of a query method is its `read`. */
export function managementMethod<Name extends MethodName>(
  definition: UpdateDefinition<Name> | QueryDefinition<Name>,
): ManagementMethod {
  const { name, callers, query, nextRound = false, target } = definition;
  const { arg, result } = icMethods[name];
  const notQuery = (): never => {
    throw replicaErrors.notManagementQuery(name);
  };
  return {
    name,
    callers,
    query,
    nextRound,
    argType: arg,
    resultType: result,
    decode: (bytes) => (arg ? decodeArgument(arg, bytes) : undefined),
    encode: (value) => new Uint8Array(IDL.encode(result ? [result] : [], result ? [value] : [])),
    target: (value) => target?.(value as ArgOf<Name>).toUint8Array(),
    run: (call, value) =>
      'run' in definition
        ? definition.run(call, value as ArgOf<Name>)
        : definition.read(call.env, value as ArgOf<Name>),
    read: (env, value) => ('read' in definition ? definition.read(env, value as ArgOf<Name>) : notQuery()),
  };
}

export const principal = (id: Uint8Array): Principal => Principal.fromUint8Array(id);

/** The canister with this ID; throws `canisterNotFound`. */
export function canisterOf(env: Environment, id: Principal | Uint8Array): Canister {
  const bytes = id instanceof Uint8Array ? id : id.toUint8Array();
  const canister = env.state.find(bytes);
  if (!canister) throw replicaErrors.canisterNotFound(bytes);
  return canister;
}

/** These do not depend on the target. */
const WITHOUT_TARGET: ReadonlySet<Callers['kind']> = new Set(['anyone', 'provisional', 'canisters']);

/** Throws when `sender` may not call the method on this target. */
export function requireCaller(method: ManagementMethod, canister: Canister, sender: Uint8Array): void {
  const { callers } = method;
  if (WITHOUT_TARGET.has(callers.kind)) return;
  if (includesId(canister.record.controllers, sender)) return;
  if (callers.kind.endsWith('-or-self') && sameId(canister.id, sender)) return;
  if ('visibility' in callers && isViewer(callers.visibility(canister), sender)) return;
  throw replicaErrors.notController(canister.id, method.name);
}

function isViewer(visibility: Visibility, sender: Uint8Array): boolean {
  if (visibility.kind === 'public') return true;
  return visibility.kind === 'allowed_viewers' && includesId(visibility.viewers, sender);
}

/** Who made a change, for the history. */
export function changeOrigin(call: ManagementCall, claimed: [] | [bigint] = []): ChangeOrigin {
  if (call.origin.kind !== 'canister') return { kind: 'user', id: call.sender };
  const [version] = claimed;
  return { kind: 'canister', id: call.sender, ...(version !== undefined && { version }) };
}
