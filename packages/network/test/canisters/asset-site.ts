import { Actor, type ActorSubclass, type HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';
import { assetCanisterWasm } from '../../../../canisters/assets/index.ts';
import { deploy } from '../agent.ts';

/** Length of the pieces in which the asset canister answers large files that were uploaded so, in bytes. */
export const PIECE_BYTES = 1_900_000;

/** A file of a site. */
export interface SiteFile {
  readonly content: Uint8Array;
  readonly type?: string;
  readonly encoding?: string;
  readonly headers?: readonly [string, string][];
  /** Length of the chunks of the upload, in bytes. */
  readonly chunkBytes?: number;
}

const batchId = IDL.Record({ batch_id: IDL.Nat });
const header = IDL.Tuple(IDL.Text, IDL.Text);
const operation = IDL.Variant({
  DeleteAsset: IDL.Record({ key: IDL.Text }),
  CreateAsset: IDL.Record({ key: IDL.Text, content_type: IDL.Text, headers: IDL.Opt(IDL.Vec(header)) }),
  SetAssetContent: IDL.Record({
    key: IDL.Text,
    content_encoding: IDL.Text,
    chunk_ids: IDL.Vec(IDL.Nat),
    sha256: IDL.Opt(IDL.Vec(IDL.Nat8)),
  }),
});
const assets: IDL.InterfaceFactory = () =>
  IDL.Service({
    create_batch: IDL.Func([IDL.Record({})], [batchId], []),
    create_chunk: IDL.Func(
      [IDL.Record({ batch_id: IDL.Nat, content: IDL.Vec(IDL.Nat8) })],
      [IDL.Record({ chunk_id: IDL.Nat })],
      [],
    ),
    commit_batch: IDL.Func([IDL.Record({ batch_id: IDL.Nat, operations: IDL.Vec(operation) })], [], []),
  });

interface Assets {
  create_batch(argument: object): Promise<{ batch_id: bigint }>;
  create_chunk(argument: { batch_id: bigint; content: Uint8Array }): Promise<{ chunk_id: bigint }>;
  commit_batch(argument: object): Promise<void>;
}

/** A site in the asset canister. */
export class AssetSite {
  readonly id: Principal;
  readonly #canister: ActorSubclass<Assets>;

  private constructor(agent: HttpAgent, id: Principal) {
    this.id = id;
    this.#canister = Actor.createActor<Assets>(assets, { agent, canisterId: id });
  }

  static async deploy(agent: HttpAgent): Promise<AssetSite> {
    return new AssetSite(agent, await deploy(agent, await assetCanisterWasm()));
  }

  get host(): string {
    return `${this.id}.localhost`;
  }

  /** Puts a file, in one encoding or more, in the place of what was there. */
  async put(key: string, file: SiteFile, more: readonly SiteFile[] = []): Promise<void> {
    const { batch_id } = await this.#canister.create_batch({});
    const create = {
      key,
      content_type: file.type ?? 'application/octet-stream',
      headers: file.headers ? [file.headers] : [],
    };
    const operations: object[] = [{ DeleteAsset: { key } }, { CreateAsset: create }];
    for (const { content, encoding = 'identity', chunkBytes = PIECE_BYTES } of [file, ...more]) {
      const chunk_ids: bigint[] = [];
      for (let at = 0; at < content.length || at === 0; at += chunkBytes) {
        const chunk = content.subarray(at, at + chunkBytes);
        chunk_ids.push((await this.#canister.create_chunk({ batch_id, content: chunk })).chunk_id);
      }
      const set = { key, content_encoding: encoding, chunk_ids, sha256: [] };
      operations.push({ SetAssetContent: set });
    }
    await this.#canister.commit_batch({ batch_id, operations });
  }
}
