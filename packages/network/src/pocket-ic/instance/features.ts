import { readFile } from 'node:fs/promises';
import { Principal } from '@icp-sdk/core/principal';
import type { IcMethods } from '@cannery/ic/generated/ic-interface';
import type { SystemCanister, SystemCanisterOptions } from '@cannery/system';
import { cyclesMintingCanister, subnetListArgument } from '@cannery/system/cmc';
import { MANAGEMENT_ID } from '@cannery/replica/state/canister-id';
import type { Service } from '../../services/chosen-services.ts';
import { encodeManagement, NO_SETTINGS } from '../../services/management-argument.ts';
import { openingOptions, serviceCanisters } from '../../services/system-canisters.ts';
import { decodeManagement } from '../../test-network/management.ts';
import { badRequest } from '../../http/transport/request-error.ts';
import type { Feature } from '../wire/features.ts';
import type { Instance } from './instance.ts';

/** Who governs on the Internet Computer: mints ICP and tells the CMC its subnets. A test may call as anybody, so as it. */
const GOVERNANCE = Principal.fromText('rrkah-fqaaa-aaaaa-aaaaq-cai');
/** Who controls the canisters of the system there: the root canister of the NNS. */
const ROOT = Principal.fromText('r7inp-6aaaa-aaaaa-aaabq-cai');
/** Cycles of the anonymous principal on the cycles ledger, as PocketIC gives it. */
const OPENING_CYCLES = 2n ** 127n;

const SERVICE_OF: Readonly<Record<Feature, Service>> = {
  icp_token: 'icp-ledger',
  cycles_token: 'cycles-ledger',
  cycles_minting: 'cmc',
  ii: 'internet-identity',
};

/**
 * Puts system canisters into an instance that stands still, each at its ID on the Internet Computer, and ends what an earlier
 * start on the same state has begun. Rejects with `RequestError` 400 where a canister of the test has such an ID.
 */
export async function installFeatures(instance: Instance, features: ReadonlySet<Feature>): Promise<void> {
  for (const { service, canister, cycles } of serviceCanisters)
    for (const feature of features)
      if (SERVICE_OF[feature] === service) await install(instance, feature, canister, cycles);
}

async function install(
  instance: Instance,
  feature: Feature,
  published: SystemCanister,
  cycles: bigint,
): Promise<void> {
  const isMinting = feature === 'cycles_minting';
  const canister = isMinting ? cyclesMintingCanister(GOVERNANCE) : published;
  const id = Principal.fromText(canister.id);
  const about = id.toUint8Array();
  const stock = feature === 'cycles_token' ? cycles + OPENING_CYCLES : cycles;
  if (!(await instance.engine.control('canister', about)))
    await manage(instance, about, 'provisional_create_canister_with_cycles', {
      amount: [stock],
      specified_id: [id],
      settings: [{ ...NO_SETTINGS, controllers: [[ROOT]] }],
      sender_canister_version: [],
    });
  const reply = await manage(instance, about, 'canister_status', { canister_id: id });
  if (decodeManagement('canister_status', reply).module_hash.length === 0)
    await manage(instance, about, 'install_code', {
      mode: { install: null },
      canister_id: id,
      wasm_module: new Uint8Array(await readFile(canister.module)),
      arg: canister.arg(optionsFor(instance)),
      sender_canister_version: [],
    });
  if (isMinting) {
    const arg = subnetListArgument(applicationSubnets(instance));
    await call(instance, {
      sender: GOVERNANCE,
      canisterId: about,
      method: 'set_authorized_subnetwork_list',
      arg,
    });
  }
}

function optionsFor({ keys }: Instance): SystemCanisterOptions {
  const options = openingOptions({ subnetId: keys.subnetId, provisional: 'anyone' });
  return {
    ...options,
    icpMinter: GOVERNANCE,
    cycles: [{ owner: Principal.anonymous(), amount: OPENING_CYCLES }],
  };
}

/** Where the CMC may make canisters: on application subnets, or wherever there are none. */
function applicationSubnets({ topology, subnets }: Instance): readonly Principal[] {
  const all = subnets.map((id) => Principal.fromUint8Array(id));
  const chosen = all.filter((_, index) => topology.subnets[index]?.kind === 'Application');
  return chosen.length > 0 ? chosen : all;
}

function manage<Name extends keyof IcMethods>(
  instance: Instance,
  about: Uint8Array,
  method: Name,
  arg: IcMethods[Name]['arg'],
): Promise<Uint8Array> {
  const encoded = encodeManagement(method, arg);
  return call(instance, { sender: ROOT, canisterId: MANAGEMENT_ID, method, arg: encoded, about });
}

interface SystemCall {
  readonly sender: Principal;
  readonly canisterId: Uint8Array;
  readonly method: string;
  readonly arg: Uint8Array;
  readonly about?: Uint8Array;
}

async function call(instance: Instance, { sender, about, ...rest }: SystemCall): Promise<Uint8Array> {
  const { requestId, admission } = await instance.submit({
    ...rest,
    sender: sender.toUint8Array(),
    place: about && { canister: about },
  });
  const outcome = admission.accepted ? await instance.awaitOutcome(requestId) : admission;
  if ('reply' in outcome) return outcome.reply;
  throw badRequest(`A system canister cannot be installed: ${rest.method}: ${outcome.message}`);
}
