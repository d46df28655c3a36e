import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { hex } from '../bytes.ts';
import { selfAuthenticatingId } from './hash.ts';

/** The keys of one local network. They are test keys: nothing on the real Internet Computer trusts them. */
export interface NetworkKeys {
  /** BLS12-381 secret scalar, 32 bytes. */
  readonly rootSecretKey: Uint8Array;
  /** The root key as clients get it: DER, 133 bytes. */
  readonly rootKey: Uint8Array;
  readonly subnetId: Uint8Array;
  /** Ed25519; signs query answers. */
  readonly nodeKey: KeyObject;
  /** DER, 44 bytes. */
  readonly nodePublicKey: Uint8Array;
  readonly nodeId: Uint8Array;
}

/** The key file exists but cannot be used. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/** DER header of a BLS12-381 public key in G2 (interface specification, "Certification"). */
const BLS_DER_PREFIX = Buffer.from(
  '308182301d060d2b0601040182dc7c0503010201060c2b0601040182dc7c05030201036100',
  'hex',
);
/** Name of the file with the network's keys in its data folder. */
export const KEY_FILE = 'network-keys.json';
const FILE_VERSION = 1;

interface KeyFile {
  readonly version: number;
  readonly rootSecretKey: string;
  readonly rootPublicKey: string;
  readonly nodeKey: string;
  /** SHA-256 of the keys; absent in files of earlier versions. */
  readonly sum?: string;
}

const sumOf = ({ rootSecretKey, rootPublicKey, nodeKey }: KeyFile): string =>
  createHash('sha256').update(`${rootSecretKey} ${rootPublicKey} ${nodeKey}`).digest('hex');

/**
 * The keys stored in `dataDir`, made on the first start. The file is readable by its owner only and is on disk
 * before this function returns, so no answer is ever signed with a key that a crash could lose.
 */
export async function loadOrCreateKeys(dataDir: string): Promise<NetworkKeys> {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, KEY_FILE);
  const stored = readKeyFile(path);
  if (stored?.sum !== undefined) {
    if (stored.sum !== sumOf(stored)) throw damaged(path);
    return fromFile(stored);
  }
  const keys = stored ?? (await generate());
  if (stored && !(await belongTogether(stored))) throw damaged(path);
  writeKeyFile(dataDir, path, { ...keys, sum: sumOf(keys) });
  return fromFile(keys);
}

/** What is signed with other keys than the network's own is worse than no network. */
function damaged(path: string): KeyFileError {
  return new KeyFileError(
    `The file ${path} is damaged: its keys are not as they were written. Restore it from a backup or a copy.`,
  );
}

/** As far as that shows without a sum: whether the root keys are a pair, and the other one is a key. */
async function belongTogether({ rootSecretKey, rootPublicKey, nodeKey }: KeyFile): Promise<boolean> {
  const { bls12_381 } = await import('@noble/curves/bls12-381.js');
  try {
    const publicKey = bls12_381.shortSignatures.getPublicKey(Buffer.from(rootSecretKey, 'hex'));
    createPrivateKey({ key: Buffer.from(nodeKey, 'hex'), format: 'der', type: 'pkcs8' });
    return hex(publicKey.toBytes()) === rootPublicKey;
  } catch {
    return false;
  }
}

async function generate(): Promise<KeyFile> {
  // Needed once in the life of a network, and slow to load.
  const { bls12_381 } = await import('@noble/curves/bls12-381.js');
  const { secretKey, publicKey } = bls12_381.shortSignatures.keygen();
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    version: FILE_VERSION,
    rootSecretKey: hex(secretKey),
    rootPublicKey: hex(publicKey.toBytes()),
    nodeKey: hex(privateKey.export({ type: 'pkcs8', format: 'der' })),
  };
}

function readKeyFile(path: string): KeyFile | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  let file: Partial<KeyFile> | null;
  try {
    file = JSON.parse(text) as Partial<KeyFile> | null;
  } catch {
    throw new KeyFileError(
      `${path} is not valid JSON; restore it from a copy or start with an empty data directory`,
    );
  }
  const { version, rootSecretKey, rootPublicKey, nodeKey } = file ?? {};
  if (version !== FILE_VERSION)
    throw new KeyFileError(`${path} was written by another version of this program`);
  const texts = [rootSecretKey, rootPublicKey, nodeKey];
  if (texts.some((each) => typeof each !== 'string')) throw damaged(path);
  return file as KeyFile;
}

function fromFile(file: KeyFile): NetworkKeys {
  const rootKey = Buffer.concat([BLS_DER_PREFIX, Buffer.from(file.rootPublicKey, 'hex')]);
  const nodeKey = createPrivateKey({ key: Buffer.from(file.nodeKey, 'hex'), format: 'der', type: 'pkcs8' });
  const nodePublicKey = createPublicKey(nodeKey).export({ type: 'spki', format: 'der' });
  return {
    rootSecretKey: new Uint8Array(Buffer.from(file.rootSecretKey, 'hex')),
    rootKey: new Uint8Array(rootKey),
    subnetId: selfAuthenticatingId(rootKey),
    nodeKey,
    nodePublicKey: new Uint8Array(nodePublicKey),
    nodeId: selfAuthenticatingId(nodePublicKey),
  };
}

function writeKeyFile(dataDir: string, path: string, file: KeyFile): void {
  const draft = `${path}.${process.pid}.new`;
  const descriptor = openSync(draft, 'w', 0o600);
  writeSync(descriptor, `${JSON.stringify(file, undefined, 2)}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(draft, path);
  const directory = openSync(dataDir, 'r');
  fsyncSync(directory);
  closeSync(directory);
}
