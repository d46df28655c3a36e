import type { CanisterLeaves, Metadata } from '../../state-leaves.ts';
import { encodeLeb128, equalBytes, utf8 } from '../bytes.ts';
import { encodeCbor } from './cbor.ts';
import { type HashTree, leaf } from './hash-tree.ts';
import { type Directory, directoryOf, setEntry } from './tree-directory.ts';

/** A canister as the state tree knows it. */
export interface KnownCanister {
  readonly leaves: CanisterLeaves;
  readonly metadata: readonly Metadata[];
  /** The subtree at `/canister/<id>`. */
  readonly tree: Directory;
}

const CONTROLLERS = utf8('controllers');
const CREATED = utf8('canister_creation_timestamp');
const INSTALLED = utf8('last_install_timestamp');
const MODULE_HASH = utf8('module_hash');
const CERTIFIED_DATA = utf8('certified_data');
const METADATA = utf8('metadata');

/** What is known of a canister after its leaves changed; `before`: what was known of it until now. */
export function known(leaves: CanisterLeaves, before: KnownCanister | undefined): KnownCanister {
  const metadata = leaves.moduleHash ? (leaves.metadata ?? before?.metadata ?? []) : [];
  const tree =
    before && !leaves.metadata && differOnlyInData(leaves, before.leaves)
      ? setEntry(before.tree, CERTIFIED_DATA, leaf(leaves.certifiedData))
      : canisterTree(leaves, metadata);
  return { leaves, metadata, tree };
}

/** Certified data is what changes most; all else stays as it is then, with its hashes. */
function differOnlyInData(now: CanisterLeaves, before: CanisterLeaves): boolean {
  return (
    now.moduleHash !== undefined &&
    before.moduleHash !== undefined &&
    equalBytes(now.moduleHash, before.moduleHash) &&
    now.installedAtNanos === before.installedAtNanos &&
    now.createdAtNanos === before.createdAtNanos &&
    now.controllers.length === before.controllers.length &&
    now.controllers.every((each, index) => equalBytes(each, before.controllers[index] ?? new Uint8Array()))
  );
}

/** A canister without code shows no certified data, module or metadata, as on the Internet Computer. */
function canisterTree(leaves: CanisterLeaves, metadata: readonly Metadata[]): Directory {
  const entries: [Uint8Array, HashTree][] = [
    [CONTROLLERS, leaf(encodeControllers(leaves.controllers))],
    [CREATED, leaf(encodeLeb128(leaves.createdAtNanos))],
  ];
  if (leaves.installedAtNanos !== undefined) {
    entries.push([INSTALLED, leaf(encodeLeb128(leaves.installedAtNanos))]);
  }
  if (leaves.moduleHash) {
    entries.push([MODULE_HASH, leaf(leaves.moduleHash)]);
    entries.push([CERTIFIED_DATA, leaf(leaves.certifiedData)]);
    const sections = metadata.map((entry) => [utf8(entry.name), leaf(entry.content)] as const);
    if (sections.length > 0) entries.push([METADATA, directoryOf(sections)]);
  }
  return directoryOf(entries);
}

/** The controllers that were encoded last: at a start thousands of canisters in a row have the same ones. */
let lastControllers: readonly Uint8Array[] = [];
let lastEncoded = encodeCbor([]);

function encodeControllers(controllers: readonly Uint8Array[]): Uint8Array {
  const isLast =
    controllers.length === lastControllers.length &&
    controllers.every((each, index) => equalBytes(each, lastControllers[index] ?? new Uint8Array()));
  if (!isLast) {
    lastControllers = controllers;
    lastEncoded = encodeCbor(controllers);
  }
  return lastEncoded;
}
