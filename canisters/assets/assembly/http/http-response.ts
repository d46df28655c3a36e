import { Asset, Encoding, Header } from '../content/asset';
import { Bytes } from '../base/bytes';
import { BOOL, NAT, NAT16, NAT8, TEXT } from '../candid/candid-types';
import { CandidWriter, Schema } from '../candid/candid-schema';
import { PARTIAL } from '../content/certification';
import * as f from '../candid/field-ids';
import { writePiece } from '../methods/query-methods';
import { self } from '../base/system';

const CALLBACK_METHOD = 'http_request_streaming_callback';

class HttpSchema {
  schema: Schema = new Schema();
  blob: i32 = this.schema.vec(NAT8);
  token: i32 = this.tokenType();

  private tokenType(): i32 {
    const optBlob = this.schema.opt(this.blob);
    const ids: StaticArray<u32> = [f.KEY, f.SHA256, f.INDEX, f.CONTENT_ENCODING];
    return this.schema.record(ids, [TEXT, optBlob, NAT, TEXT]);
  }

  /** `opt StreamingCallbackHttpResponse` */
  callbackResult(): i32 {
    const optToken = this.schema.opt(this.token);
    return this.schema.opt(this.schema.record([f.TOKEN, f.BODY], [optToken, this.blob]));
  }

  response(): i32 {
    const schema = this.schema;
    const headers = schema.vec(schema.record([0, 1], [TEXT, TEXT]));
    const callback = schema.queryFunc(this.token, this.callbackResult());
    const strategy = schema.variant(
      [f.TAG_CALLBACK],
      [schema.record([f.TOKEN, f.CALLBACK], [this.token, callback])],
    );
    const optStrategy = schema.opt(strategy);
    const optBool = schema.opt(BOOL);
    const ids: StaticArray<u32> = [f.BODY, f.HEADERS, f.UPGRADE, f.STREAMING_STRATEGY, f.STATUS_CODE];
    return schema.record(ids, [this.blob, headers, optBool, optStrategy, NAT16]);
  }
}

function responseResult(): Bytes {
  const http = new HttpSchema();
  return http.schema.results([http.response()]);
}

function callbackResult(): Bytes {
  const http = new HttpSchema();
  return http.schema.results([http.callbackResult()]);
}

const RESPONSE_RESULT = responseResult();
const CALLBACK_RESULT = callbackResult();

function writeHeaders(writer: CandidWriter, headers: Array<Header>): void {
  writer.uleb(headers.length);
  for (let i = 0; i < headers.length; i++) {
    writer.candidText(headers[i].name);
    writer.candidText(headers[i].value);
  }
}

function writeToken(writer: CandidWriter, asset: Asset, encoding: Encoding, index: u64): void {
  writer.candidText(asset.key);
  writer.some();
  writer.blob(encoding.hash);
  writer.uleb(index);
  writer.candidText(encoding.name);
}

/** An answer whose body is short and at hand. */
export function bodyResponse(status: u16, headers: Array<Header>, body: Bytes): CandidWriter {
  const writer = new CandidWriter(RESPONSE_RESULT, 4096 + body.length);
  writer.blob(body);
  writeHeaders(writer, headers);
  writer.none();
  writer.none();
  writer.u16(status);
  return writer;
}

/** An answer with an asset's body: all of it, or its first piece and where to ask for the rest. */
export function assetResponse(status: u16, headers: Array<Header>, asset: Asset, encoding: Encoding): CandidWriter {
  const writer = new CandidWriter(RESPONSE_RESULT, 8192 + encoding.content.pieceSize(0));
  writePiece(writer, encoding, 0);
  writeHeaders(writer, headers);
  writer.none();
  if (encoding.content.pieces > 1) {
    writer.some();
    writer.uleb(0);
    writeToken(writer, asset, encoding, 1);
    writer.func(self(), CALLBACK_METHOD);
  } else {
    writer.none();
  }
  writer.u16(status);
  return writer;
}

/** An answer with one piece of a body, and nothing after it. */
export function partialResponse(headers: Array<Header>, encoding: Encoding, index: u64): CandidWriter {
  const writer = new CandidWriter(RESPONSE_RESULT, 8192 + encoding.content.pieceSize(index));
  writePiece(writer, encoding, index);
  writeHeaders(writer, headers);
  writer.none();
  writer.none();
  writer.u16(PARTIAL);
  return writer;
}

/** A further piece of a body. */
export function pieceResponse(asset: Asset, encoding: Encoding, index: u64): CandidWriter {
  const writer = new CandidWriter(CALLBACK_RESULT, 512 + encoding.content.pieceSize(index));
  writer.some();
  if (index + 1 < encoding.content.pieces) {
    writer.some();
    writeToken(writer, asset, encoding, index + 1);
  } else {
    writer.none();
  }
  writePiece(writer, encoding, index);
  return writer;
}
