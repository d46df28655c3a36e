import { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';
import type { SystemCanister } from '../index.ts';
import { moduleUrl } from '../sources.ts';
import versions from '../versions.json' with { type: 'json' };

/** An empty payload but for who governs, and where canisters are created; the ledgers are at their ids on the Internet Computer. */
const payload = IDL.Opt(
  IDL.Record({
    governance_canister_id: IDL.Opt(IDL.Principal),
    subnets: IDL.Opt(IDL.Vec(IDL.Principal)),
  }),
);

const subnetList = IDL.Record({ who: IDL.Opt(IDL.Principal), subnets: IDL.Vec(IDL.Principal) });

/** The cycles minting canister, which `governance` may tell other subnets than that of its installation. */
export function cyclesMintingCanister(governance: Principal): SystemCanister {
  const told = (subnetId?: Principal): Uint8Array =>
    IDL.encode(
      [payload],
      [[{ governance_canister_id: [governance], subnets: subnetId === undefined ? [] : [[subnetId]] }]],
    );
  return {
    id: 'rkp4c-7iaaa-aaaaa-aaaca-cai',
    name: 'Cycles minting canister',
    module: moduleUrl('cmc'),
    versions: versions.cmc,
    arg: ({ subnetId }) => told(subnetId),
    upgradeArg: () => told(),
  };
}

/** The argument of `set_authorized_subnetwork_list`, which says on which subnets canisters are created. */
export function subnetListArgument(subnets: readonly Principal[]): Uint8Array {
  return IDL.encode([subnetList], [{ who: [], subnets }]);
}
