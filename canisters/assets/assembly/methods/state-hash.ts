import { Encoding } from '../content/asset';
import * as assets from '../content/assets';
import { Bytes, hex, Slice, addressOf } from '../base/bytes';
import { CandidWriter, Schema } from '../candid/candid-schema';
import { NAT64, TEXT } from '../candid/candid-types';
import { updateByChunk } from '../content/content-hash';
import { hashContentHead, hashCreation, hashRules } from './evidence';
import * as f from '../candid/field-ids';
import { Job } from './jobs';
import { allRules } from '../content/rules';
import { contentVersion, lastContentChange } from '../content/settings';
import { begin, finish } from '../base/sha256';
import { reply } from '../base/system';

function optTextResult(): Bytes {
  const schema = new Schema();
  return schema.results([schema.opt(TEXT)]);
}

function infoResult(): Bytes {
  const schema = new Schema();
  const optText = schema.opt(TEXT);
  return schema.results([schema.record([f.LAST_STATE_UPDATE_TIMESTAMP, f.STATE_HASH], [NAT64, optText])]);
}

const HASH_RESULT = optTextResult();
const INFO_RESULT = infoResult();

/** Hash of the content as of a version of it; empty before the first. */
let known: string = '';
let knownVersion: u64 = 0;

/** The hash of all assets, in hex; empty if it was not computed since the last change. */
export function stateHash(): string {
  return knownVersion === contentVersion() ? known : '';
}

export function replyStateHash(): void {
  const writer = new CandidWriter(HASH_RESULT);
  writer.some();
  writer.candidText(known);
  reply(writer);
}

export function replyStateInfo(): void {
  const writer = new CandidWriter(INFO_RESULT);
  writer.u64(lastContentChange());
  const hash = stateHash();
  if (hash.length === 0) {
    writer.none();
  } else {
    writer.some();
    writer.candidText(hash);
  }
  reply(writer);
}

/**
 * Computes the hash of all assets: that of the operations which would create them (`next_virtual_step` of evidence.rs
 * in dfinity/sdk). The cookie that pages carry is not part of it, so it can be computed from files. Starts again when
 * the content changes meanwhile.
 */
export class StateHashJob extends Job {
  private version: u64 = 0;
  private keys: Array<string> = [];
  private nextKey: i32 = 0;
  /** Of the present asset, what is left to hash. */
  private encodings: Array<Encoding> = [];
  private nextEncoding: i32 = 0;
  private nextChunk: i32 = -1;

  constructor() {
    super();
    this.restart();
  }

  private restart(): void {
    this.version = contentVersion();
    this.keys = assets.sortedKeys();
    this.nextKey = 0;
    this.encodings = [];
    this.nextEncoding = 0;
    this.nextChunk = -1;
    begin();
  }

  step(): bool {
    if (this.version !== contentVersion()) this.restart();
    if (this.nextEncoding < this.encodings.length) {
      this.hashEncoding(this.keys[this.nextKey - 1], this.encodings[this.nextEncoding]);
      return false;
    }
    if (this.nextKey === this.keys.length) return true;
    const asset = assets.require(this.keys[this.nextKey++]);
    hashCreation(asset.key, asset.contentType, asset.properties);
    this.encodings = asset.encodings;
    this.nextEncoding = 0;
    this.nextChunk = -1;
    return false;
  }

  private hashEncoding(key: string, encoding: Encoding): void {
    if (this.nextChunk < 0) {
      hashContentHead(key, encoding.name, new Slice(addressOf(encoding.hash), encoding.hash.length));
      this.nextChunk = 0;
    } else if (this.nextChunk < encoding.content.chunks.length) {
      updateByChunk(encoding.content.chunks[this.nextChunk++]);
    } else {
      this.nextEncoding++;
      this.nextChunk = -1;
    }
  }

  finish(): void {
    // Without rules it is what the reference tools compute.
    if (allRules().length > 0) hashRules(allRules());
    known = hex(finish());
    knownVersion = this.version;
    replyStateHash();
  }

  abandon(): void {}
}
