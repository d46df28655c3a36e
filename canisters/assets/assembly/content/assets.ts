import { aliasesOf, candidatesOf, isHtmlKey } from '../base/aliases';
import { Asset, Encoding, Properties, saveText } from './asset';
import { certifyFallback, certifyPath, isCertifiable, NOT_FOUND, OK } from './certification';
import { ASSET, ASSET_GONE, record } from '../base/journal';
import { contentChanged } from './settings';
import { trap } from '../base/system';

const NOT_FOUND_PAGE = '/404.html';
const START_PAGE = '/index.html';

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

/** The asset that answers where none does: the site's 404 page, else its start page (single-page applications). */
export function fallback(): Asset | null {
  const page = find(NOT_FOUND_PAGE);
  if (page !== null && page.encodings.length > 0) return page;
  const start = find(START_PAGE);
  return start !== null && start.encodings.length > 0 ? start : null;
}

export function fallbackStatus(asset: Asset): u16 {
  return asset.key == NOT_FOUND_PAGE ? NOT_FOUND : OK;
}

/** Keys of assets that changed in this message: they are certified and recorded together, once, at its end. */
const changed: Set<string> = new Set();
const unrecorded: Set<string> = new Set();

function change(key: string): void {
  changed.add(key);
  unrecorded.add(key);
}

/** Certifies again every path that a changed asset answers for, or answered for. */
export function certifyChanges(): void {
  if (unrecorded.size > 0) contentChanged();
  const all = changed.values();
  for (let i = 0; i < all.length; i++) {
    const asset = find(all[i]);
    if (asset !== null) asset.responses = null;
  }
  for (let i = 0; i < all.length; i++) {
    const key = all[i];
    certifyPath(key, resolve(key));
    const aliases = aliasesOf(key);
    for (let j = 0; j < aliases.length; j++) certifyPath(aliases[j], resolve(aliases[j]));
  }
  if (changed.has(NOT_FOUND_PAGE) || changed.has(START_PAGE)) changedFallback();
  changed.clear();
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

function changedFallback(): void {
  const asset = fallback();
  certifyFallback(asset, asset === null ? NOT_FOUND : fallbackStatus(asset));
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

/** Puts an asset back after an upgrade; `certifyAll` follows when all are there. */
export function restoreAsset(asset: Asset): void {
  assets.set(asset.key, asset);
  keys = null;
}

/** Leaves an asset away that an earlier record put back. */
export function forgetAsset(key: string): void {
  assets.delete(key);
  keys = null;
}

/** Certifies everything, from nothing: after installation and upgrade. */
export function certifyAll(): void {
  const all = sortedKeys();
  for (let i = 0; i < all.length; i++) changed.add(all[i]);
  certifyChanges();
  changedFallback();
}

/** Marks the pages as changed, after the cookie they set has. */
export function environmentChanged(): void {
  const all = sortedKeys();
  for (let i = 0; i < all.length; i++) {
    if (isHtmlKey(all[i])) changed.add(all[i]);
  }
}
