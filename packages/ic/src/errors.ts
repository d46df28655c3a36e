import { Principal } from '@icp-sdk/core/principal';
import type { Rejection } from './state-leaves.ts';

/** An error of the network itself (not of its code): becomes a reject response of the call it stops. */
export class ReplicaError extends Error {
  override readonly name = 'ReplicaError';
  readonly errorCode: string;
  readonly rejectCode: number;
  /** The request as such is wrong, whatever canister it is for: the HTTP interface answers 400. */
  readonly malformed: boolean;

  constructor(errorCode: string, rejectCode: number, message: string, malformed = false) {
    super(message);
    this.malformed = malformed;
    this.errorCode = errorCode;
    this.rejectCode = rejectCode;
  }

  rejection(): Rejection {
    return { rejectCode: this.rejectCode, message: this.message, errorCode: this.errorCode };
  }
}

const SYS_FATAL = 1;
const SYS_TRANSIENT = 2;
const DESTINATION_INVALID = 3;
const CANISTER_REJECT = 4;
const CANISTER_ERROR = 5;
const SYS_UNKNOWN = 6;

type Id = Uint8Array;

const DOCS = 'https://internetcomputer.org/docs/current/references/execution-errors#';
const TOOLCHAIN_HELP =
  'This is likely an error with the compiler/CDK toolchain being used to build the canister. Please report the error to IC devs on the forum: https://forum.dfinity.org and include which language/CDK was used to create the canister.';
const GRACEFUL =
  'Consider gracefully handling failures from this canister or altering the canister to handle exceptions.';

const text = (id: Id): string => Principal.fromUint8Array(id).toText();
const help = (suggestion: string, anchor: string): string =>
  `${suggestion} See documentation: ${DOCS}${anchor}`;

function define<A extends unknown[]>(
  errorCode: string,
  rejectCode: number,
  message: (...args: A) => string,
): (...args: A) => ReplicaError {
  return (...args) => new ReplicaError(errorCode, rejectCode, message(...args));
}

/** An error raised by a canister's own code: `body` is framed the way the replica frames it. */
function fromCanister<A extends unknown[]>(
  errorCode: string,
  body: (...args: A) => string,
  advice: string,
): (id: Id, ...args: A) => ReplicaError {
  return define(
    errorCode,
    CANISTER_ERROR,
    (id: Id, ...args: A) =>
      `Error from Canister ${text(id)}: ${body(...args)}${advice ? `.\n${advice}` : ''}`,
  );
}

/**
 * Every error the network can answer with: `IC0xxx` code, reject code and text. Codes from dfinity/ic
 * `rs/types/error_types`, texts from `rs/interfaces/src/execution_environment/errors.rs` and
 * `rs/execution_environment/src/canister_manager/types.rs`: clients match on both.
 */
export const replicaErrors = {
  ingressTimeout: define(
    'IC0202',
    SYS_TRANSIENT,
    (requestId: string) => `Ingress message ${requestId} timed out waiting to start executing.`,
  ),
  canisterIdExists: define(
    'IC0538',
    CANISTER_ERROR,
    (id: Id) => `Canister ${text(id)} is already installed.`,
  ),
  /** The replica, which forgets a deleted canister, has no such message. */
  canisterIdRetired: define(
    'IC0205',
    SYS_TRANSIENT,
    (id: Id) =>
      `Unsuccessful canister creation: canister id ${text(id)} belonged to a canister that was deleted.`,
  ),
  stopTimeout: define('IC0206', SYS_TRANSIENT, () => 'Stop canister request timed out'),
  queueNotEmpty: define(
    'IC0203',
    SYS_TRANSIENT,
    (id: Id) =>
      `Canister ${text(id)} has messages in its queues and cannot be deleted now. Please retry after some time.`,
  ),
  outOfCycles: define(
    'IC0207',
    SYS_TRANSIENT,
    (id: Id, missing: bigint) =>
      `Canister ${text(id)} is out of cycles: please top up the canister with at least ${missing} additional cycles`,
  ),
  installOutOfCycles: define(
    'IC0207',
    SYS_TRANSIENT,
    (cause: string) =>
      `Canister installation failed with \`${cause}\`.\n${help('Top up the canister with more cycles.', 'install-code-not-enough-cycles')}`,
  ),
  frozenQuery: define(
    'IC0207',
    SYS_TRANSIENT,
    (id: Id) =>
      `Canister ${text(id)} is unable to process query calls because it's frozen. Please top up the canister with cycles and try again.`,
  ),
  tooManyQueries: define(
    'IC0201',
    SYS_TRANSIENT,
    (id: Id) => `Too many queries of canister ${text(id)} wait that need long. Please retry after some time.`,
  ),
  /** Words of the HTTP interface, which agents look for; refused with status 400. */
  expiryForgotten: () =>
    new ReplicaError(
      'IC0204',
      SYS_TRANSIENT,
      'Invalid request expiry: Specified ingress_expiry not within expected range: ' +
        'requests of that time were carried out before the clock of this network was set back.',
      true,
    ),
  historyFull: define(
    'IC0204',
    SYS_TRANSIENT,
    (capacity: number) => `Maximum ingress history capacity ${capacity} reached`,
  ),
  /** The Internet Computer has no such error; the code is that of a subnet that is out of capacity. */
  diskLow: define(
    'IC0101',
    SYS_TRANSIENT,
    () => 'The disk of this network is almost full: calls are accepted again when there is free space.',
  ),
  callTimeout: define('IC0202', SYS_UNKNOWN, () => 'Call deadline has expired.'),

  canisterNotFound: define('IC0301', DESTINATION_INVALID, (id: Id) => `Canister ${text(id)} not found`),

  createNotEnoughCycles: define(
    'IC0403',
    CANISTER_REJECT,
    (sent: bigint, fee: bigint) =>
      `Creating a canister requires a fee of ${fee} that is deducted from the canister's initial balance but only ${sent} cycles were received with the create_canister request.\n${help('Include enough cycles with the request to create a canister.', 'create-canister-not-enough-cycles')}`,
  ),
  /** The ID is not one of a canister (dfinity/ic `rs/messaging/src/routing/stream_builder.rs`). */
  noRoute: define('IC0301', DESTINATION_INVALID, (id: Id) => `No route to canister ${text(id)}`),

  messageRejected: define(
    'IC0406',
    CANISTER_REJECT,
    (id: Id) => `Error from Canister ${text(id)}: Canister rejected the message`,
  ),
  onlyCanisters: define(
    'IC0406',
    CANISTER_REJECT,
    (method: string) => `Only canisters can call ic00 method ${method}`,
  ),
  onlyQuery: define(
    'IC0406',
    CANISTER_REJECT,
    (method: string) => `${method} API is only accessible in non-replicated mode`,
  ),
  /** The code is the Internet Computer's, which has the method for nobody; the text says who decides here. */
  provisionalRefused: define(
    'IC0536',
    CANISTER_ERROR,
    (method: string) =>
      `This network does not make cycles for this sender with ${method}. Whoever runs it decides by NETWORK_PROVISIONAL (cannery-network: --provisional).`,
  ),
  unknownManagementMethod: define(
    'IC0536',
    CANISTER_ERROR,
    (method: string) => `Management canister has no method '${method}'`,
  ),
  notManagementQuery: define(
    'IC0536',
    CANISTER_ERROR,
    (method: string) => `Query method ${method} not found.`,
  ),
  misaddressed: (id: Id, effectiveId: Id) =>
    new ReplicaError(
      'IC0408',
      DESTINATION_INVALID,
      `Specified CanisterId ${text(id)} does not match effective canister id in URL ${text(effectiveId)}`,
      true,
    ),
  invalidPayload: define('IC0408', CANISTER_REJECT, (reason: string) => reason),
  uninstalled: define('IC0406', CANISTER_REJECT, () => 'Canister has been uninstalled.'),
  /** A request the management canister understands and turns down. */
  refused: define('IC0406', CANISTER_REJECT, (reason: string) => reason),
  /** A call of the management canister that no subnet could take; only canisters can see it. */
  unroutable: define(
    'IC0301',
    DESTINATION_INVALID,
    (method: string, reason: string) => `Unable to route management canister request ${method}: ${reason}`,
  ),
  tooFewCyclesSent: define(
    'IC0406',
    CANISTER_REJECT,
    (method: string, sent: bigint, required: bigint) =>
      `${method} request sent with ${sent} cycles, but ${required} cycles are required.`,
  ),
  notEnabled: define('IC0504', CANISTER_ERROR, () => 'This API is not enabled on this subnet'),
  /** `code` is 1 (SYS_FATAL) or 2 (SYS_TRANSIENT). */
  outcallFailed: (kind: 'fatal' | 'transient', message: string) =>
    new ReplicaError('IC0406', kind === 'fatal' ? SYS_FATAL : SYS_TRANSIENT, message),
  notSubnetAdmin: define(
    'IC0410',
    CANISTER_REJECT,
    (method: string) => `Only subnet admins can call ic00 method ${method}`,
  ),
  computeOversubscribed: define(
    'IC0101',
    SYS_FATAL,
    (requested: bigint, available: bigint) =>
      `Canister requested a compute allocation of ${requested}% which cannot be satisfied because the Subnet's remaining compute capacity is ${available}%.`,
  ),
  memoryOversubscribed: define(
    'IC0101',
    SYS_FATAL,
    (requested: bigint, available: bigint) =>
      `Canister requested ${requested} bytes of memory but only ${available} bytes are available in the subnet.`,
  ),
  senderVersion: define(
    'IC0504',
    CANISTER_ERROR,
    (claimed: bigint, actual: bigint) =>
      `Management canister call payload includes sender canister version ${claimed} that does not match the actual sender canister version ${actual}.`,
  ),
  snapshotNotFound: define(
    'IC0305',
    DESTINATION_INVALID,
    (canisterId: Id, snapshot: string) =>
      `Could not find the snapshot ID ${snapshot} for canister ${text(canisterId)}.`,
  ),
  snapshotNotOwned: define(
    'IC0406',
    CANISTER_REJECT,
    (canisterId: Id, snapshot: string) =>
      `The snapshot ${snapshot} does not belong to canister ${text(canisterId)}.`,
  ),
  snapshotNotControlled: define(
    'IC0512',
    CANISTER_ERROR,
    (sender: Id, snapshot: string, canisterId: Id) =>
      `Sender ${text(sender)} is not a controller of the canister that snapshot ${snapshot} belongs to, so it cannot be loaded to canister ${text(canisterId)}.`,
  ),
  snapshotOfEmpty: define(
    'IC0406',
    CANISTER_REJECT,
    (canisterId: Id) => `Failed to create snapshot for empty canister ${text(canisterId)}:`,
  ),
  tooManySnapshots: define(
    'IC0406',
    CANISTER_REJECT,
    (canisterId: Id, limit: number) =>
      `Canister ${text(canisterId)} has reached the maximum number of snapshots allowed: ${limit}.`,
  ),
  snapshotImmutable: define(
    'IC0409',
    CANISTER_REJECT,
    () => 'Only canister snapshots created by metadata upload can be mutated.',
  ),
  tooManyVariables: define(
    'IC0408',
    CANISTER_REJECT,
    (count: number, max: number) => `Too many environment variables: ${count} (max: ${max})`,
  ),
  variableNameTooLong: define(
    'IC0408',
    CANISTER_REJECT,
    (name: string, max: number) =>
      `Environment variable name "${name}" exceeds the maximum allowed length of ${max}.`,
  ),
  variableValueTooLong: define(
    'IC0408',
    CANISTER_REJECT,
    (value: string, max: number) =>
      `Environment variable value "${value}" exceeds the maximum allowed length of ${max}.`,
  ),

  trapped: fromCanister('IC0502', (cause: string) => `Canister trapped: ${cause}`, help(GRACEFUL, 'trapped')),
  calledTrap: fromCanister(
    'IC0503',
    (message: string) => `Canister called \`ic0.trap\` with message: '${message}'`,
    help(GRACEFUL, 'trapped-explicitly'),
  ),
  contractViolation: fromCanister(
    'IC0504',
    (error: string) => `Canister violated contract: ${error}`,
    TOOLCHAIN_HELP,
  ),
  /** As `contractViolation`, with advice for the canister's author where there is one: `anchor` of the error docs. */
  userViolation: define(
    'IC0504',
    CANISTER_ERROR,
    (id: Id, error: string, suggestion?: string, anchor?: string) =>
      `Error from Canister ${text(id)}: Canister violated contract: ${error}${suggestion && anchor ? `\n${help(suggestion, anchor)}` : ''}`,
  ),
  /** Text of `rs/messaging/src/routing/stream_builder.rs`. */
  tooLargeForOtherSubnet: define(
    'IC0504',
    CANISTER_ERROR,
    (sender: Id, bytes: number, most: number) =>
      `Canister ${text(sender)} violated contract: attempted to send a message of size ${bytes} exceeding the limit ${most}`,
  ),
  invalidPrincipal: fromCanister('IC0504', () => 'Canister provided invalid principal id', ''),
  wrongMode: fromCanister(
    'IC0504',
    (name: string, mode: string) =>
      `Canister violated contract: "ic0_${name}" cannot be executed in ${mode} mode`,
    help(
      'Check the ICP documentation to make sure APIs are being called in the correct message types.',
      'calling-a-system-api-from-the-wrong-mode',
    ),
  ),
  notEnoughCyclesForCall: fromCanister(
    'IC0504',
    (id: string, missing: bigint) =>
      `Canister ${id} is out of cycles: please top up the canister with at least ${missing} additional cycles`,
    '',
  ),
  invalidSettings: define(
    'IC0504',
    CANISTER_ERROR,
    (message: string) => `Could not validate the settings: ${message}`,
  ),
  chunkStore: define(
    'IC0504',
    CANISTER_ERROR,
    (message: string) => `Error from Wasm chunk store: ${message}.`,
  ),
  missingUpgradeOption: define(
    'IC0504',
    CANISTER_ERROR,
    () =>
      'Missing upgrade option: Enhanced orthogonal persistence requires the `wasm_memory_persistence` upgrade option.',
  ),
  invalidUpgradeOption: define(
    'IC0504',
    CANISTER_ERROR,
    () =>
      'Invalid upgrade option: The `wasm_memory_persistence: opt Keep` upgrade option requires that the new canister module supports enhanced orthogonal persistence.',
  ),
  invalidWasm: fromCanister(
    'IC0505',
    (reason: string) => `Canister's Wasm module is not valid: ${reason}`,
    '',
  ),
  didNotReply: define('IC0506', CANISTER_ERROR, (id: Id) => `Canister ${text(id)} did not reply to the call`),
  outOfMemory: fromCanister('IC0507', () => 'Canister cannot grow its memory usage.', ''),
  stopped: define('IC0508', CANISTER_ERROR, (id: Id) => `Canister ${text(id)} is stopped`),
  /** What a canister hears that calls it (`StateError` in dfinity/ic `rs/replicated_state/src/replicated_state.rs`). */
  calleeStopping: define('IC0509', CANISTER_ERROR, (id: Id) => `Canister ${text(id)} is stopping`),
  stopping: define('IC0509', CANISTER_ERROR, (id: Id) => `Canister ${text(id)} is not running`),
  deleteNotStopped: define(
    'IC0510',
    CANISTER_ERROR,
    (id: Id) => `Canister ${text(id)} must be stopped before it is deleted.`,
  ),
  stopCancelled: define(
    'IC0511',
    CANISTER_ERROR,
    (id: Id) => `Canister ${text(id)}'s stop request was cancelled.`,
  ),
  notController: define(
    'IC0512',
    CANISTER_ERROR,
    (id: Id, method: string) => `Only controllers of canister ${text(id)} can call ic00 method ${method}`,
  ),
  deleteSelf: define('IC0512', CANISTER_ERROR, (id: Id) => `Canister ${text(id)} cannot delete itself.`),
  nonEmpty: define(
    'IC0514',
    CANISTER_ERROR,
    (id: Id) =>
      `Canister ${text(id)} cannot be installed because the canister is not empty. Try installing with mode='reinstall' instead.`,
  ),
  queryLoop: define(
    'IC0517',
    CANISTER_ERROR,
    () => 'Canister called itself in a composite query, which is not supported',
  ),
  tooFewCycles: define(
    'IC0520',
    CANISTER_ERROR,
    (id: Id, minimum: bigint, sent: bigint) =>
      `Canister ${text(id)} requires at least ${minimum} cycles with each call but only ${sent} were attached.`,
  ),
  instructionLimit: fromCanister(
    'IC0522',
    (limit: bigint) => `Canister exceeded the limit of ${limit} instructions for single message execution.`,
    help(
      'Try optimizing this method to consume fewer instructions or split the work across multiple messages.',
      'instruction-limit-exceeded',
    ),
  ),
  tookTooLong: fromCanister(
    'IC0522',
    () => 'Canister exceeded the time this network gives a single message execution.',
    help(
      'Try optimizing this method to consume fewer instructions or split the work across multiple messages.',
      'instruction-limit-exceeded',
    ),
  ),
  queryTookTooLong: fromCanister(
    'IC0528',
    () => 'Canister exceeded the time this network gives a query.',
    '',
  ),
  /** The Internet Computer has no such errors: its replicas get lost state from each other. */
  stateDamaged: fromCanister(
    'IC0521',
    (fault: string) =>
      `The stored state of the canister is damaged and is not used (${fault}). Restore a backup of the network, load a snapshot, or reinstall or delete the canister; others are not affected`,
    '',
  ),
  dataDamaged: define(
    'IC0521',
    CANISTER_ERROR,
    (fault: string) =>
      `Stored data that this call needs is damaged and is not used (${fault}). Restore a backup of the network, or upload the data again.`,
  ),
  engineFault: fromCanister(
    'IC0521',
    (reason: string) => `Canister encountered a Wasm engine error: ${reason}`,
    '',
  ),
  memoryAccess: fromCanister(
    'IC0524',
    (limitKib: number) =>
      `Canister exceeded memory access limits: Exceeded the limit for the number of modified pages in the stable memory in a single message execution: limit ${limitKib} KB`,
    help(
      'Try optimizing this method to reduce the number of modified memory pages within a single message.',
      'memory-access-limit-exceeded',
    ),
  ),
  queryGraphInstructions: define(
    'IC0526',
    CANISTER_ERROR,
    () => 'Composite query calls exceeded the instruction limit.',
  ),
  queryTooDeep: define(
    'IC0525',
    CANISTER_ERROR,
    () => 'Composite query calls exceeded the maximum call depth.',
  ),
  compositeInReplicatedMode: define(
    'IC0527',
    CANISTER_ERROR,
    () => 'Composite query cannot be called in replicated mode',
  ),
  methodNotFound: fromCanister(
    'IC0536',
    (kind: string, method: string) => `Canister has no ${kind} method '${method}'.`,
    help('Check that the method being called is exported by the target canister.', 'method-not-found'),
  ),
  cyclesInComputeAllocation: define(
    'IC0530',
    CANISTER_ERROR,
    (percent: bigint, missing: bigint) =>
      `Cannot increase compute allocation to ${percent} due to insufficient cycles. At least ${missing} additional cycles are required.`,
  ),
  cyclesInMemoryAllocation: define(
    'IC0531',
    CANISTER_ERROR,
    (bytes: bigint, missing: bigint) =>
      `Cannot increase memory allocation to ${bytes} due to insufficient cycles. At least ${missing} additional cycles are required.`,
  ),
  cyclesInMemoryGrow: fromCanister(
    'IC0532',
    (bytes: number, missing: bigint) =>
      `Canister cannot grow memory by ${bytes} bytes due to insufficient cycles. At least ${missing} additional cycles are required`,
    help('Try topping up the canister.', 'insufficient-cycles-in-memory-grow'),
  ),
  reservedLimitInMemoryAllocation: define(
    'IC0533',
    CANISTER_ERROR,
    (bytes: bigint, requested: bigint, limit: bigint) =>
      `Cannot increase memory allocation to ${bytes} due to its reserved cycles limit. The current limit (${limit}) would be exceeded by ${requested - limit}.`,
  ),
  reservedLimitInMemoryGrow: fromCanister(
    'IC0534',
    (bytes: number, requested: bigint, limit: bigint) =>
      `Canister cannot grow memory by ${bytes} bytes due to its reserved cycles limit. The current limit (${limit}) would be exceeded by ${requested - limit}`,
    help(
      "Try increasing the canister's reserved cycles limit.",
      'reserved-cycles-limit-exceeded-in-memory-grow',
    ),
  ),
  reservedLimitTooLow: define(
    'IC0540',
    CANISTER_ERROR,
    (cycles: bigint, limit: bigint) =>
      `Cannot set the reserved cycles limit ${limit} below the reserved cycles balance of the canister ${cycles}.`,
  ),
  /** An ingress message is not even taken in (dfinity/ic `rs/execution_environment/src/execution_environment.rs`). */
  noWasmModuleToCall: define('IC0537', CANISTER_ERROR, () => 'Requested canister has no wasm module'),
  noWasmModule: fromCanister(
    'IC0537',
    () => 'Attempted to execute a message, but the canister contains no Wasm module.',
    help('Please install code to this canister before calling it.', 'wasm-module-not-found'),
  ),
  wasmMemoryLimit: fromCanister(
    'IC0539',
    (limit: bigint, peak: bigint) =>
      `Canister exceeded its current Wasm memory limit of ${limit} bytes. The peak Wasm memory usage was ${peak} bytes. If the canister reaches 4GiB, then it may stop functioning and may become unrecoverable. Please reach out to the canister owner to investigate the reason for the increased memory usage. It might be necessary to move data from the Wasm memory to the stable memory. If such high Wasm memory usage is expected and safe, then the developer can increase the Wasm memory limit in the canister settings.`,
    help(
      'Try checking the canister for a possible memory leak or modifying it to use more stable memory instead of Wasm memory.',
      'wasm-memory-limit-exceeded',
    ),
  ),
} as const;
