import { PropertyChanges, readArgument, readPropertyChanges, readRequest, Request } from '../content/arguments';
import { Encoding } from '../content/asset';
import * as assets from '../content/assets';
import * as batches from '../content/batches';
import { publish } from '../content/certification';
import { applyProperties, checkHash, clear, createAsset, setContent } from '../content/content-changes';
import { Chunk, Content } from '../content/content';
import { refreshEnvironment } from '../base/environment';
import { COMMIT, requirePermission } from '../content/permissions';
import { replyNothing } from './replies';
import { certifyChanges } from '../content/routes';
import { now } from '../base/system';

/** The end of every method here: what changed is certified, and the caller gets an answer without content. */
function finish(): void {
  certifyChanges();
  publish();
  replyNothing();
}

function readOwnRequest(): Request {
  requirePermission(COMMIT);
  const reader = readArgument();
  return readRequest(reader, reader.argument());
}

export function createAssetMethod(): void {
  createAsset(readOwnRequest());
  finish();
}

export function setAssetContentMethod(): void {
  setContent(readOwnRequest(), null);
  finish();
}

export function unsetAssetContentMethod(): void {
  const request = readOwnRequest();
  assets.unsetEncoding(request.needKey(), request.needContentEncoding());
  finish();
}

export function deleteAssetMethod(): void {
  assets.remove(readOwnRequest().needKey());
  finish();
}

export function setAssetPropertiesMethod(): void {
  requirePermission(COMMIT);
  const reader = readArgument();
  const changes = new PropertyChanges();
  readPropertyChanges(reader, reader.argument(), changes);
  applyProperties(changes);
  finish();
}

/** Removes all assets, redirect rules and unfinished batches. Tools call it with and without a record, which has no fields. */
export function clearMethod(): void {
  requirePermission(COMMIT);
  clear();
  batches.endAllBatches();
  finish();
}

/** Creates or changes an asset that fits into one message. */
export function storeMethod(): void {
  const request = readOwnRequest();
  if (refreshEnvironment()) assets.environmentChanged();
  const key = request.needKey();
  const chunk = Chunk.store(request.needContent());
  checkHash(request.hash, chunk.hash, key);
  if (assets.find(key) === null) createAsset(request);
  else assets.setContentType(key, request.needContentType());
  assets.setEncoding(key, new Encoding(request.needContentEncoding(), new Content([chunk]), chunk.hash, now()));
  finish();
}
