import type { ReadingLimits } from '@cannery/candid';
import { decodeEncoded } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { type LogsReply, logRecords, logsReply, type NetworkLogRecord } from './canister-logs.ts';
import { type Listed, ListedAsset, type PresentAsset, presentAsset } from './listed-asset.ts';

/** What replies of many parts hold, by their kind. */
export interface ReplyItems {
  assets: [key: string, asset: PresentAsset];
  logs: NetworkLogRecord;
}

export type ReplyKind = keyof ReplyItems;

const kinds: {
  readonly [Kind in ReplyKind]: { type: IDL.Type; items: (value: never) => ReplyItems[Kind][] };
} = {
  assets: { type: IDL.Vec(ListedAsset), items: (listed: Listed[]) => listed.map(presentAsset) },
  logs: { type: logsReply, items: (reply: LogsReply) => logRecords(reply) },
};

/** Decodes a reply of many parts. @throws CandidError when it is not of its kind, or costs more than the limits */
export function itemsOf(kind: ReplyKind, reply: Uint8Array, limits: ReadingLimits): ReplyItems[ReplyKind][] {
  const { type, items } = kinds[kind];
  const [value] = decodeEncoded(reply, [type], limits);
  return items(value as never);
}
