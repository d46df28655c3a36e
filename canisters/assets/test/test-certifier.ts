import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';

const { shortSignatures } = bls12_381;

/** DER head of a BLS12-381 public key (interface specification, "Signature schemes"). */
const DER_HEAD = '308182301d060d2b0601040182dc7c0503010201060c2b0601040182dc7c05030201036100';

type Tree =
  | readonly ['fork', Tree, Tree]
  | readonly ['labeled', Uint8Array, Tree]
  | readonly ['leaf', Uint8Array];

function separated(name: string, ...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(Uint8Array.of(name.length)).update(name);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function hashOf(tree: Tree): Buffer {
  if (tree[0] === 'fork') return separated('ic-hashtree-fork', hashOf(tree[1]), hashOf(tree[2]));
  if (tree[0] === 'labeled') return separated('ic-hashtree-labeled', tree[1], hashOf(tree[2]));
  return separated('ic-hashtree-leaf', tree[1]);
}

function head(major: number, value: number): Uint8Array {
  if (value < 24) return Uint8Array.of(major | value);
  if (value < 256) return Uint8Array.of(major | 24, value);
  return Uint8Array.of(major | 25, value >> 8, value & 255);
}

function bytes(value: Uint8Array): Buffer {
  return Buffer.concat([head(0x40, value.length), value]);
}

function encode(tree: Tree): Buffer {
  if (tree[0] === 'fork') return Buffer.concat([Uint8Array.of(0x83, 1), encode(tree[1]), encode(tree[2])]);
  if (tree[0] === 'labeled') return Buffer.concat([Uint8Array.of(0x83, 2), bytes(tree[1]), encode(tree[2])]);
  return Buffer.concat([Uint8Array.of(0x82, 3), bytes(tree[1])]);
}

function leb(value: bigint): Uint8Array {
  const out: number[] = [];
  let rest = value;
  do {
    out.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Uint8Array.from(out);
}

/** A subnet of one key that certifies what a test says. */
export class TestCertifier {
  readonly rootKey: Uint8Array;
  readonly #secret = bls12_381.utils.randomSecretKey();
  readonly #issued = new Map<string, Uint8Array>();

  constructor() {
    const publicKey = shortSignatures.getPublicKey(this.#secret).toBytes();
    this.rootKey = Uint8Array.from(Buffer.concat([Buffer.from(DER_HEAD, 'hex'), publicKey]));
  }

  certificate(canisterId: Uint8Array, certifiedData: Uint8Array, time: bigint): Uint8Array {
    const key = `${Buffer.from(canisterId).toString('hex')} ${Buffer.from(certifiedData).toString('hex')} ${time}`;
    const known = this.#issued.get(key);
    if (known !== undefined) return known;
    const text = (value: string) => new TextEncoder().encode(value);
    const tree: Tree = [
      'fork',
      [
        'labeled',
        text('canister'),
        ['labeled', canisterId, ['labeled', text('certified_data'), ['leaf', certifiedData]]],
      ],
      ['labeled', text('time'), ['leaf', leb(time)]],
    ];
    const message = Buffer.concat([text('\x0dic-state-root'), hashOf(tree)]);
    const signature = shortSignatures.sign(shortSignatures.hash(message), this.#secret).toBytes();
    const certificate = Uint8Array.from(
      Buffer.concat([
        Uint8Array.of(0xd9, 0xd9, 0xf7, 0xa2),
        head(0x60, 4),
        text('tree'),
        encode(tree),
        head(0x60, 9),
        text('signature'),
        bytes(signature),
      ]),
    );
    this.#issued.set(key, certificate);
    return certificate;
  }
}
