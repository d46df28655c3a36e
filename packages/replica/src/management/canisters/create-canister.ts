import { createHash } from 'node:crypto';
import { reserveForSettings } from '../../cycles/reservation.ts';
import { replicaErrors } from '@cannery/ic/errors';
import { DEFAULT_PROVISIONAL_CYCLES } from '@cannery/ic/limits';
import { idKey, isCanisterId } from '../../state/canister-id.ts';
import { rangeNear } from '../../state/id-range.ts';
import { newCanister } from '../../state/canister.ts';
import { DEFAULT_SETTINGS, type EnvironmentVariable } from '../../state/settings.ts';
import type { IcMethods } from '@cannery/ic/generated/ic-interface';
import { changeOrigin, type ManagementCall, managementMethod, principal } from '../method/method.ts';
import { checkCapacity } from './update-settings.ts';
import { providedCycles } from './cycles.ts';
import { changedControllers, changedSettings } from './settings.ts';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Hash of the variables as a map from text to text ("Representation-independent hashing", hash of map). */
function environmentHash(variables: readonly EnvironmentVariable[]): Uint8Array {
  const entries = variables.map(({ name, value }) => Buffer.concat([sha256(name), sha256(value)]));
  const hash = createHash('sha256');
  for (const entry of entries.toSorted(Buffer.compare)) hash.update(entry);
  return new Uint8Array(hash.digest());
}

/** Where the network has several ranges of IDs: the first ordinal of the one a new canister gets its ID from. */
function rangeStartFor({ env, tx, origin, sender }: ManagementCall): bigint | undefined {
  const { idRanges = [] } = env;
  const near = origin.kind === 'ingress' ? tx.state.requests.get(idKey(origin.requestId)) : undefined;
  return (rangeNear(idRanges, near?.effectiveCanisterId ?? sender) ?? idRanges[0])?.makesFrom;
}

/** Makes an empty canister with `cycles`, of which `fee` was taken; without an ID it gets the next free one. */
function create(
  call: ManagementCall,
  arg: IcMethods['create_canister']['arg'],
  cycles: bigint,
  specified: Uint8Array | undefined,
  fee = 0n,
): { canister_id: ReturnType<typeof principal> } {
  const { state } = call.tx;
  const [wanted] = arg.settings;
  const settings = wanted ? changedSettings(DEFAULT_SETTINGS, wanted) : DEFAULT_SETTINGS;
  const controllers = changedControllers(wanted) ?? [call.sender];
  if (specified && !isCanisterId(specified)) {
    throw replicaErrors.invalidPayload(
      `The \`specified_id\` ${principal(specified).toText()} is not a canister ID`,
    );
  }
  if (specified && state.canisters.has(idKey(specified))) throw replicaErrors.canisterIdExists(specified);
  if (specified && state.isRetired(specified)) throw replicaErrors.canisterIdRetired(specified);
  checkCapacity(call.env, DEFAULT_SETTINGS, settings, 0);
  const reserved = reserveForSettings(call.env.fees, {
    before: DEFAULT_SETTINGS,
    after: settings,
    usedBytes: 0,
    cycles,
    reservedCycles: 0n,
    subnetBytes: call.env.memory.totalBytes,
  });
  const next = state.peekFreeId(rangeStartFor(call));
  if (!specified) state.takeId(next);
  const canister = newCanister({
    id: specified ?? next.id,
    createdAtNanos: call.tx.timeNanos,
    controllers,
    settings,
    cycles: cycles - reserved,
    reservedCycles: reserved,
    creationFee: fee,
  });
  call.tx.addCanister(canister);
  call.tx.addChange(canister, {
    timestampNanos: call.tx.timeNanos,
    canisterVersion: 0n,
    origin: changeOrigin(call, arg.sender_canister_version),
    details: {
      kind: 'creation',
      controllers,
      ...(wanted?.environment_variables[0] && {
        environmentVariablesHash: environmentHash(settings.environmentVariables),
      }),
    },
  });
  return { canister_id: principal(canister.id) };
}

export const createCanister = managementMethod({
  name: 'create_canister',
  callers: { kind: 'canisters' },
  run(call, arg) {
    const fee = call.env.fees.canisterCreation();
    if (call.cycles < fee) throw replicaErrors.createNotEnoughCycles(call.cycles, fee);
    const result = create(call, arg, call.cycles - fee, undefined, fee);
    call.cycles = 0n;
    return result;
  },
});

export const provisionalCreateCanister = managementMethod({
  name: 'provisional_create_canister_with_cycles',
  callers: { kind: 'provisional' },
  run(call, arg) {
    const [amount = DEFAULT_PROVISIONAL_CYCLES] = arg.amount;
    return create(call, arg, providedCycles(amount), arg.specified_id[0]?.toUint8Array());
  },
});
