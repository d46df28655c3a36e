import { Cbor, type Certificate, type HttpAgent } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { AppError } from '../../errors.ts';
import { lookUp } from './certified-tree.ts';
import { verifyCertificate } from './signature-thread.ts';

/** What the network certifies of a canister. */
export interface CertifiedCanister {
  /** The moment of which this is true, by the network's clock. */
  readonly asOf: Date;
  /** Whether the console is among its controllers, or others only, or there is no such canister. */
  readonly standing: 'ours' | 'lost' | 'gone';
  /** SHA-256 (hex) of its code; null where it has none. */
  readonly moduleHash: string | null;
}

/** Ten principals of 29 bytes at most (interface specification, settings), and what CBOR has around them. */
const MOST_CONTROLLERS_BYTES = 1024;

type Label = string | Uint8Array;

function bytesOf(label: Label): Uint8Array {
  return typeof label === 'string' ? new Uint8Array(Buffer.from(label)) : label;
}

/**
 * What a certificate says of a leaf: its content, or undefined where it shows that there is none.
 * @throws AppError network_unavailable where the certificate leaves open whether there is one: that proves nothing
 */
export function leafIn(certificate: Certificate, path: readonly Label[]): Uint8Array | undefined {
  const found = lookUp(certificate.cert.tree, path.map(bytesOf));
  if (found.status === 'found') return found.value;
  if (found.status === 'absent') return undefined;
  throw new AppError('network_unavailable', "The network's answer leaves out what was asked for.");
}

/** The moment of which a certificate is true, by the clock of the network. */
export function certifiedTime(certificate: Certificate): Date {
  let nanos = 0n;
  // An LEB128 number (interface specification, "Time"); ten bytes hold 64 bits.
  for (const [place, byte] of (leafIn(certificate, ['time']) ?? []).slice(0, 10).entries())
    nanos |= BigInt(byte & 0x7f) << BigInt(7 * place);
  return new Date(Number(nanos / 1_000_000n));
}

/** The certified content of one leaf of a canister; undefined where there is none. */
export async function readLeaf(
  agent: HttpAgent,
  canisterId: string,
  path: readonly Label[],
): Promise<Uint8Array | undefined> {
  const id = Principal.fromText(canisterId);
  const full = ['canister', id.toUint8Array(), ...path];
  return leafIn(await stateOf(agent, id, [full]), full);
}

/** What the network certifies of a canister, all of one moment. @param principal of the console */
export async function readCertified(
  agent: HttpAgent,
  canisterId: string,
  principal: Principal,
): Promise<CertifiedCanister> {
  const id = Principal.fromText(canisterId);
  const [controllersPath, hashPath] = ['controllers', 'module_hash'].map((leaf) => [
    'canister',
    id.toUint8Array(),
    leaf,
  ]) as [Label[], Label[]];
  const certificate = await stateOf(agent, id, [controllersPath, hashPath]);
  const asOf = certifiedTime(certificate);
  const controllers = leafIn(certificate, controllersPath);
  // Every canister has this leaf, also one that nobody controls.
  if (controllers === undefined) return { asOf, standing: 'gone', moduleHash: null };
  if (controllers.length > MOST_CONTROLLERS_BYTES)
    throw new AppError(
      'network_unavailable',
      "The network's answer has more controllers than a canister can have.",
    );
  const hash = leafIn(certificate, hashPath);
  const mine = Buffer.from(principal.toUint8Array());
  const isOurs = Cbor.decode<Uint8Array[]>(controllers).some((one) => mine.equals(one));
  return {
    asOf,
    standing: isOurs ? 'ours' : 'lost',
    moduleHash: hash === undefined ? null : Buffer.from(hash).toString('hex'),
  };
}

async function stateOf(agent: HttpAgent, id: Principal, paths: Label[][]): Promise<Certificate> {
  const { verifiedCertificate } = await agent.readState(
    { canisterId: id },
    {
      paths: paths.map((path) => path.map(bytesOf)),
      blsVerify: verifyCertificate,
    },
  );
  return verifiedCertificate;
}
