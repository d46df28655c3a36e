import {
  Certificate,
  Cbor,
  type HashTree,
  hashOfMap,
  lookup_path,
  LookupPathStatus,
  reconstruct,
} from '@icp-sdk/core/agent';
import { lebDecode, PipeArrayBuffer } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';
import { expect } from 'vitest';

/** A value of ICRC-3 as Candid gives it. */
type Value = { readonly [kind: string]: unknown };
export type Fields = Record<string, unknown>;

/** The value as the agent's own hash function takes it. */
function plain(value: Value): unknown {
  if ('Map' in value) {
    return Object.fromEntries(
      (value['Map'] as [string, Value][]).map(([name, field]) => [name, plain(field)]),
    );
  }
  if ('Array' in value) return (value['Array'] as Value[]).map(plain);
  return Object.values(value)[0];
}

/** A ledger, as far as its blocks go. */
export interface BlockSource {
  icrc3_get_blocks(ranges: { start: bigint; length: bigint }[]): Promise<{
    log_length: bigint;
    blocks: { id: bigint; block: unknown }[];
  }>;
  icrc3_get_tip_certificate(): Promise<[] | [{ certificate: Uint8Array; hash_tree: Uint8Array }]>;
}

/** All blocks of a ledger. Fails unless each has the hash of the one before, and the last is the certified one. */
export async function checkedBlocks(
  ledger: BlockSource,
  canister: Principal,
  rootKey: Uint8Array,
): Promise<Fields[]> {
  const blocks: Fields[] = [];
  let parent: Uint8Array | undefined;
  for (let length = 1n; BigInt(blocks.length) < length; ) {
    const answer = await ledger.icrc3_get_blocks([{ start: BigInt(blocks.length), length: 10_000n }]);
    length = answer.log_length;
    for (const { id, block } of answer.blocks) {
      expect(id).toBe(BigInt(blocks.length));
      const fields = plain(block as Value) as Fields;
      expect(fields['phash'], `block ${id}`).toEqual(parent);
      parent = hashOfMap(fields);
      blocks.push(fields);
    }
  }
  const tip = await certifiedTip(ledger, canister, rootKey);
  expect(tip.index).toBe(BigInt(blocks.length - 1));
  expect(Buffer.from(tip.hash)).toEqual(Buffer.from(parent ?? []));
  return blocks;
}

/** The certified number and hash of the last block, once the agent has checked the certificate. */
async function certifiedTip(
  ledger: BlockSource,
  canister: Principal,
  rootKey: Uint8Array,
): Promise<{ index: bigint; hash: Uint8Array }> {
  const [found] = await ledger.icrc3_get_tip_certificate();
  if (found === undefined) throw new Error('The ledger has no certificate.');
  const certificate = await Certificate.create({
    certificate: Uint8Array.from(found.certificate),
    rootKey,
    principal: { canisterId: canister },
  });
  const certified = certificate.lookup_path(['canister', canister.toUint8Array(), 'certified_data']);
  const tree = Cbor.decode<HashTree>(Uint8Array.from(found.hash_tree));
  const root = await reconstruct(tree);
  if (certified.status !== LookupPathStatus.Found || Buffer.compare(certified.value, root) !== 0) {
    throw new Error('The tree of the ledger is not the certified one.');
  }
  const leaf = (label: string): Uint8Array => {
    const result = lookup_path([new TextEncoder().encode(label)], tree);
    if (result.status !== LookupPathStatus.Found) throw new Error(`The tree has no ${label}.`);
    return result.value;
  };
  return { index: lebDecode(new PipeArrayBuffer(leaf('last_block_index'))), hash: leaf('last_block_hash') };
}

/** What every account has by the blocks of a ledger, by its owner and subaccount in hexadecimal. */
export function replay(blocks: readonly Fields[]): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  const change = (account: unknown, amount: bigint): void => {
    const parts = account instanceof Uint8Array ? [account] : (account as Uint8Array[]);
    const key = parts.map((part) => Buffer.from(part).toString('hex')).join('.');
    balances.set(key, (balances.get(key) ?? 0n) + amount);
  };
  for (const { fee: charged, tx } of blocks) {
    const { op, amt, fee, from, to } = tx as Fields;
    const cost = (charged ?? fee ?? 0n) as bigint;
    const moved = op === 'approve' ? 0n : (amt as bigint);
    if (op !== 'mint') change(from, -moved - cost);
    if (op === 'mint' || op === 'xfer') change(to, moved);
  }
  return balances;
}
