import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { IDL } from '@icp-sdk/core/candid';
import { describe, test } from 'vitest';
import { expectLinear } from '../../test/expect-linear.ts';
import { decodeCbor, decodeCborMaps } from '@cannery/ic/certification/tree/cbor';
import { decodeArgument } from '../../../replica/src/management/method/decode-argument.ts';
import { readOutcallParameter } from '../../../replica/src/system-api/outcall-parameter.ts';
import { InvalidModuleError } from '@cannery/wasm/module/reader';
import { parseModule } from '@cannery/wasm/module/parse-module';
import { importCoseKey } from './identity/cose-key.ts';
import { verifyCanisterSignature } from './identity/canister-signature.ts';
import { verifyAssertion } from './identity/webauthn.ts';

const KILOBYTE = 1024;
const MEBIBYTE = 1024 * 1024;

const { publicKey } = generateKeyPairSync('ed25519');
const KEY = createPublicKey(publicKey.export({ format: 'pem', type: 'spki' }).toString());
const CANISTER = { signingCanister: Uint8Array.of(1), seed: Uint8Array.of(2) };
const NEVER_ISSUED = { wasIssued: async () => false };

/** What is in CBOR for as many values as the size says. */
const cbor: Readonly<Record<string, (size: number) => Uint8Array>> = {
  'empty maps': (size) => withHead(0x9a, size - 5, Buffer.alloc(size, 0xa0)),
  'maps in maps': (size) => Buffer.alloc(size, Buffer.of(0xa1, 0x60)),
  'lists in lists': (size) => Buffer.alloc(size, 0x81),
  'lists without a length': (size) => Buffer.alloc(size, 0x9f),
  marks: (size) => Buffer.alloc(size, Buffer.of(0xd9, 0xd9, 0xf7)),
  'one text': (size) => withHead(0x7a, size, Buffer.alloc(size, 97)),
  'one blob': (size) => withHead(0x5a, size, Buffer.alloc(size, 97)),
  'nodes of a tree': (size) => Buffer.alloc(size, Buffer.of(0x83, 0x01, 0x81, 0x00)),
};

function withHead(type: number, count: number, content: Buffer): Uint8Array {
  const head = Buffer.alloc(5, type);
  head.writeUInt32BE(Math.max(0, count), 1);
  return Uint8Array.from(Buffer.concat([head, content]));
}

/** A signature by a canister whose certificate, or tree, is what a stranger made. */
function canisterSignature(part: 'certificate' | 'tree', content: Uint8Array): Uint8Array {
  const text = (word: string): Buffer => Buffer.concat([Buffer.of(0x78, word.length), Buffer.from(word)]);
  const other = part === 'tree' ? 'certificate' : 'tree';
  return Uint8Array.from(
    Buffer.concat([Buffer.of(0xa2), text(other), Buffer.of(0x40), text(part), Buffer.from(content)]),
  );
}

interface Reading {
  readonly cap: number;
  readonly most: number;
  readonly read: (bytes: Uint8Array) => unknown;
}

const ofCbor: Readonly<Record<string, Reading>> = {
  'CBOR of a certificate': { cap: 4 * MEBIBYTE, most: 300, read: (bytes) => decodeCbor(bytes) },
  'CBOR with any keys': { cap: 4 * MEBIBYTE, most: 300, read: (bytes) => decodeCborMaps(bytes) },
  'a key of an authenticator': { cap: 4 * KILOBYTE, most: 20, read: importCoseKey },
  'an assertion of an authenticator': {
    cap: 16 * KILOBYTE,
    most: 20,
    read: (bytes) => verifyAssertion(KEY, Uint8Array.of(1), bytes),
  },
  'a signature of a canister': {
    cap: 32 * KILOBYTE,
    most: 60,
    read: (bytes) =>
      verifyCanisterSignature(CANISTER, Uint8Array.of(1), canisterSignature('tree', bytes), NEVER_ISSUED),
  },
};

describe.each(Object.entries(ofCbor))('twice as much of %s takes at most twice the time', (_, reading) => {
  test.each(Object.entries(cbor))('%s', async (_name, input) => {
    await expectLinear({ input, read: reading.read, cap: reading.cap }, reading.most);
  });
});

/** A message in Candid: a table, the type of its one value, the value. */
const candid = (table: readonly number[], type: number, value: Buffer): Uint8Array =>
  Uint8Array.from(Buffer.concat([Buffer.from('DIDL'), Buffer.of(...table, 1, type), value]));

const leb = (count: number): number[] => (count < 128 ? [count] : [(count & 127) | 128, ...leb(count >>> 7)]);

const messages: Readonly<Record<string, (size: number) => Uint8Array>> = {
  'a long number': (size) => candid([0], 0x7d, Buffer.concat([Buffer.alloc(size, 0xff), Buffer.of(1)])),
  'a long number that is not asked for': (size) =>
    candid([1, 0x6c, 1, 5, 0x7d], 0, Buffer.concat([Buffer.alloc(size, 0x80), Buffer.of(1)])),
  'nothing many times': (size) => candid([1, 0x6d, 0x7f], 0, Buffer.of(...leb(size * 1000))),
  'empty records': (size) => candid([2, 0x6d, 1, 0x6c, 0], 0, Buffer.of(...leb(size * 1000))),
  numbers: (size) =>
    candid([1, 0x6d, 0x7d], 0, Buffer.concat([Buffer.of(...leb(size)), Buffer.alloc(size, 1)])),
  'a blob': (size) =>
    candid([1, 0x6d, 0x7b], 0, Buffer.concat([Buffer.of(...leb(size)), Buffer.alloc(size)])),
  'options in options': (size) => candid([1, 0x6e, 0], 0, Buffer.alloc(size, 1)),
  'a table of types': (size) =>
    Uint8Array.from(
      Buffer.concat([Buffer.from('DIDL'), Buffer.of(...leb(size / 2)), Buffer.alloc(size, 0x6d)]),
    ),
};

const settings = IDL.Record({ settings: IDL.Opt(IDL.Record({ freezing_threshold: IDL.Opt(IDL.Nat) })) });
const ofCandid: Readonly<Record<string, Reading>> = {
  'an argument of the management canister': {
    cap: 2 * MEBIBYTE,
    most: 500,
    read: (bytes) => decodeArgument(settings, bytes),
  },
  'a number for the management canister': {
    cap: 2 * MEBIBYTE,
    most: 500,
    read: (bytes) => decodeArgument(IDL.Nat, bytes),
  },
  'the parameter of an outcall': { cap: 2 * MEBIBYTE, most: 500, read: readOutcallParameter },
};

describe.each(Object.entries(ofCandid))('twice as much of %s takes at most twice the time', (_, reading) => {
  test.each(Object.entries(messages))('%s', async (_name, input) => {
    await expectLinear({ input, read: reading.read, cap: reading.cap }, reading.most);
  });
});

/** A module with one section that a stranger made. */
function moduleOf(id: number, content: Buffer): Uint8Array {
  const head = Buffer.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, id, ...leb(content.length));
  return Uint8Array.from(Buffer.concat([head, content]));
}

const modules: Readonly<Record<string, (size: number) => Uint8Array>> = {
  'types of functions': (size) =>
    moduleOf(1, Buffer.concat([Buffer.of(...leb(size / 3)), Buffer.alloc(size, Buffer.of(0x60, 0, 0))])),
  'functions without a body': (size) =>
    moduleOf(3, Buffer.concat([Buffer.of(...leb(size)), Buffer.alloc(size)])),
  'tables of nothing': (size) =>
    moduleOf(4, Buffer.concat([Buffer.of(...leb(size)), Buffer.alloc(size, 0x70)])),
  'empty sections': (size) => {
    const head = Buffer.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    return Uint8Array.from(Buffer.concat([head, Buffer.alloc(size, Buffer.of(0, 1, 0))]));
  },
  'a section of four billion entries': () => moduleOf(1, Buffer.of(0xff, 0xff, 0xff, 0xff, 0x0f)),
};

describe('sections of a module', () => {
  test.each(Object.entries(modules))(
    'twice as much takes at most twice the time: %s',
    async (_name, input) => {
      const read = (bytes: Uint8Array): unknown => {
        try {
          return parseModule(bytes);
        } catch (error) {
          if (error instanceof InvalidModuleError) return error;
          throw error;
        }
      };
      await expectLinear({ input, read, cap: 2 * MEBIBYTE }, 2_000);
    },
  );
});
