import { readArgument, readRequest } from '../content/arguments';
import { Asset, Encoding, Properties } from '../content/asset';
import * as assets from '../content/assets';
import { Bytes, sameBytes } from '../base/bytes';
import { BOOL, INT, NAT, NAT16, NAT64, NAT8, TEXT } from '../candid/candid-types';
import { CandidWriter, Schema } from '../candid/candid-schema';
import { wholeTree } from '../content/certification';
import * as f from '../candid/field-ids';
import { writeMaxAge, writeOptBool, writeOptHeaders } from './replies';
import { dataCertificate, reply, trap } from '../base/system';

/** The interface version that clients ask for; 2 has `create_chunks`, `last_chunk` and paged `list`. */
const API_VERSION: u16 = 2;
/** `list` answers with at most this many assets. */
const PAGE: u64 = 100;

function versionResult(): Bytes {
  return new Schema().results([NAT16]);
}

function getResult(): Bytes {
  const schema = new Schema();
  const blob = schema.vec(NAT8);
  const optBlob = schema.opt(blob);
  const ids: StaticArray<u32> = [f.CONTENT, f.SHA256, f.CONTENT_TYPE, f.CONTENT_ENCODING, f.TOTAL_LENGTH];
  return schema.results([schema.record(ids, [blob, optBlob, TEXT, TEXT, NAT])]);
}

function getChunkResult(): Bytes {
  const schema = new Schema();
  const blob = schema.vec(NAT8);
  return schema.results([schema.record([f.CONTENT], [blob])]);
}

function listResult(): Bytes {
  const schema = new Schema();
  const optBlob = schema.opt(schema.vec(NAT8));
  const encodingIds: StaticArray<u32> = [f.MODIFIED, f.SHA256, f.LENGTH, f.CONTENT_ENCODING];
  const encodings = schema.vec(schema.record(encodingIds, [INT, optBlob, NAT, TEXT]));
  const optBool = schema.opt(BOOL);
  const optNat64 = schema.opt(NAT64);
  const optHeaders = schema.opt(schema.vec(schema.record([0, 1], [TEXT, TEXT])));
  const ids: StaticArray<u32> = [
    f.KEY, f.ENCODINGS, f.CONTENT_TYPE, f.HEADERS, f.IS_ALIASED, f.ALLOW_RAW_ACCESS, f.MAX_AGE,
  ];
  const asset = schema.record(ids, [TEXT, encodings, TEXT, optHeaders, optBool, optBool, optNat64]);
  return schema.results([schema.vec(asset)]);
}

function propertiesResult(): Bytes {
  const schema = new Schema();
  const optBool = schema.opt(BOOL);
  const optNat64 = schema.opt(NAT64);
  const optHeaders = schema.opt(schema.vec(schema.record([0, 1], [TEXT, TEXT])));
  const ids: StaticArray<u32> = [f.HEADERS, f.IS_ALIASED, f.ALLOW_RAW_ACCESS, f.MAX_AGE];
  return schema.results([schema.record(ids, [optHeaders, optBool, optBool, optNat64])]);
}

function treeResult(): Bytes {
  const schema = new Schema();
  const blob = schema.vec(NAT8);
  return schema.results([schema.record([f.CERTIFICATE, f.TREE], [blob, blob])]);
}

const VERSION_RESULT = versionResult();
const GET_RESULT = getResult();
const GET_CHUNK_RESULT = getChunkResult();
const LIST_RESULT = listResult();
const PROPERTIES_RESULT = propertiesResult();
const TREE_RESULT = treeResult();

export function apiVersionMethod(): void {
  const writer = new CandidWriter(VERSION_RESULT);
  writer.u16(API_VERSION);
  reply(writer);
}

function requireAsset(key: string): Asset {
  const asset = assets.resolve(key);
  if (asset === null) trap('asset not found: ' + key);
  return asset!;
}

function requireEncoding(asset: Asset, name: string): Encoding {
  const encoding = asset.encoding(name);
  if (encoding === null) trap('no such encoding: ' + name);
  return encoding!;
}

/** A piece of a body as a Candid blob. */
export function writePiece(writer: CandidWriter, encoding: Encoding, index: u64): void {
  const size = encoding.content.pieceSize(index);
  writer.uleb(size);
  encoding.content.readPiece(index, writer.reserve(size));
}

export function getMethod(): void {
  const reader = readArgument();
  const request = readRequest(reader, reader.argument());
  const asset = requireAsset(request.needKey());
  for (let i = 0; i < request.accepted.length; i++) {
    const encoding = asset.encoding(request.accepted[i]);
    if (encoding === null) continue;
    const writer = new CandidWriter(GET_RESULT, encoding.content.pieceSize(0) + 512);
    writePiece(writer, encoding, 0);
    writer.some();
    writer.blob(encoding.hash);
    writer.candidText(asset.contentType);
    writer.candidText(encoding.name);
    writer.uleb(encoding.content.length);
    reply(writer);
    return;
  }
  trap('no such encoding');
}

export function getChunkMethod(): void {
  const reader = readArgument();
  const request = readRequest(reader, reader.argument());
  const encoding = requireEncoding(requireAsset(request.needKey()), request.needContentEncoding());
  const hash = request.hash;
  if (hash === null) trap('sha256 required');
  if (!sameBytes(hash!.toBytes(), encoding.hash)) trap('sha256 mismatch');
  const index = request.needIndex();
  if (index >= encoding.content.pieces) trap('chunk index out of bounds');
  const writer = new CandidWriter(GET_CHUNK_RESULT, encoding.content.pieceSize(index) + 64);
  writePiece(writer, encoding, index);
  reply(writer);
}

export function listMethod(): void {
  const reader = readArgument();
  const request = readRequest(reader, reader.argument());
  const keys = assets.sortedKeys();
  const from = min(request.start, <u64>keys.length);
  const to = min(from + min(request.length, PAGE), <u64>keys.length);
  const writer = new CandidWriter(LIST_RESULT, 4096);
  writer.uleb(to - from);
  for (let i = <i32>from; i < <i32>to; i++) writeAsset(writer, assets.require(keys[i]));
  reply(writer);
}

function writeAsset(writer: CandidWriter, asset: Asset): void {
  writer.candidText(asset.key);
  writer.uleb(asset.encodings.length);
  for (let i = 0; i < asset.encodings.length; i++) {
    const encoding = asset.encodings[i];
    writer.sleb(encoding.modified);
    writer.some();
    writer.blob(encoding.hash);
    writer.uleb(encoding.content.length);
    writer.candidText(encoding.name);
  }
  writer.candidText(asset.contentType);
  writeProperties(writer, asset.properties);
}

function writeProperties(writer: CandidWriter, properties: Properties): void {
  writeOptHeaders(writer, properties);
  writeOptBool(writer, properties.aliased);
  writeOptBool(writer, properties.rawAccess);
  writeMaxAge(writer, properties);
}

export function getAssetPropertiesMethod(): void {
  const reader = readArgument();
  const asset = assets.require(reader.text(reader.argument()));
  const writer = new CandidWriter(PROPERTIES_RESULT);
  writeProperties(writer, asset.properties);
  reply(writer);
}

export function certifiedTreeMethod(): void {
  const certificate = dataCertificate();
  const tree = wholeTree();
  const writer = new CandidWriter(TREE_RESULT, certificate.length + tree.length + 64);
  writer.blob(certificate);
  writer.blob(tree);
  reply(writer);
}
