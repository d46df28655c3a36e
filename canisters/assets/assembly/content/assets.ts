import { candidatesOf, isHtmlKey } from '../base/aliases';
import { Asset, Encoding, Properties, saveText } from './asset';
import { isCertifiable } from './certification';
import { ASSET, ASSET_GONE, record } from '../base/journal';
import { contentChanged } from './settings';
import { trap } from '../base/system';

const assets: Map<string, Asset> = new Map();
/** Keys in order, made when first asked for after a change. */
let keys: Array<string> | null = null;

export function find(key: string): Asset | null {
  return assets.has(key) ? assets.get(key) : null;
}

export function require(key: string): Asset {
  if (!assets.has(key)) trap('asset not found: ' + key);
  return assets.get(key);
}

export function sortedKeys(): Array<string> {
  let sorted = keys;
  if (sorted === null) {
    sorted = assets.keys().sort();
    keys = sorted;
  }
  return sorted;
}

/** The asset that answers for a path: its own, or the first alias. Assets without content answer for nothing. */
export function resolve(path: string): Asset | null {
  const own = find(path);
  if (own !== null && own.encodings.length > 0) return own;
  const candidates = candidatesOf(path);
  for (let i = 0; i < candidates.length; i++) {
    const asset = find(candidates[i]);
    if (asset !== null && asset.aliased && asset.encodings.length > 0) return asset;
  }
  return null;
}

/** Keys of assets that changed in this message: they are certified and recorded together, once, at its end. */
const changed: Set<string> = new Set();
const unrecorded: Set<string> = new Set();

function change(key: string): void {
  changed.add(key);
  unrecorded.add(key);
}

/** The keys of assets that changed since they were asked for last; what was certified for them is forgotten. */
export function takeChanges(): Array<string> {
  if (unrecorded.size > 0) contentChanged();
  const all = changed.values();
  changed.clear();
  for (let i = 0; i < all.length; i++) {
    const asset = find(all[i]);
    if (asset === null) continue;
    asset.responses = null;
    asset.redirected = null;
  }
  return all;
}

/** Records in the journal what became of the assets that this message changed. */
export function recordChanges(): void {
  const all = unrecorded.values();
  for (let i = 0; i < all.length; i++) {
    const asset = find(all[i]);
    if (asset !== null) recordAsset(asset);
    else saveText(record(ASSET_GONE), all[i]);
  }
  unrecorded.clear();
}

export function recordAsset(asset: Asset): void {
  asset.save(record(ASSET));
}

export function create(key: string, contentType: string, properties: Properties): void {
  if (!isCertifiable(key)) trap('invalid key ' + key + ': a key starts with / and has no segment <$> or <*>');
  if (assets.has(key)) trap('asset already exists: ' + key);
  assets.set(key, new Asset(key, contentType, properties));
  keys = null;
  change(key);
}

export function setEncoding(key: string, encoding: Encoding): void {
  require(key).setEncoding(encoding);
  change(key);
}

export function unsetEncoding(key: string, name: string): void {
  if (require(key).removeEncoding(name)) change(key);
}

export function setContentType(key: string, contentType: string): void {
  require(key).contentType = contentType;
  change(key);
}

export function setProperties(key: string, properties: Properties): void {
  require(key).properties = properties;
  change(key);
}

/** Removes an asset; one that does not exist is no error, as in the reference interface. */
export function remove(key: string): void {
  const asset = find(key);
  if (asset === null) return;
  asset.free();
  assets.delete(key);
  keys = null;
  change(key);
}

export function removeAll(): void {
  const all = assets.values();
  for (let i = 0; i < all.length; i++) {
    all[i].free();
    change(all[i].key);
  }
  assets.clear();
  keys = null;
}

/** Puts an asset back after an upgrade; certifying all follows when all are there. */
export function restoreAsset(asset: Asset): void {
  assets.set(asset.key, asset);
  keys = null;
}

/** Leaves an asset away that an earlier record put back. */
export function forgetAsset(key: string): void {
  assets.delete(key);
  keys = null;
}

/** Marks everything as changed for those who certify, and as recorded. */
export function changeAll(): void {
  const all = sortedKeys();
  for (let i = 0; i < all.length; i++) changed.add(all[i]);
}

/** Marks the pages as changed, after the cookie they set has. */
export function environmentChanged(): void {
  const all = sortedKeys();
  for (let i = 0; i < all.length; i++) {
    if (isHtmlKey(all[i])) changed.add(all[i]);
  }
}
