import { deflateSync, gzipSync } from 'node:zlib';
import { custom, HEADER, leb, moduleOf, section } from './modules.ts';

/** A file, and the code of its refusal. */
export type HostileFile = readonly [what: string, bytes: Buffer, code: string];

const text = (content: string): Buffer => Buffer.from(content, 'latin1');
const bytes = (...values: number[]): Buffer => Buffer.from(values);
const HTML = text('<!doctype html><script>alert(document.domain)</script>');

const WHOLE = moduleOf({
  exports: ['canister_query read', 'canister_update write'],
  memory: 1,
  after: [custom('icp:public candid:service', 'service : { read : () -> (nat) query }')],
});

/** Types of one function, `[] -> []`. */
const TYPE = section(1, bytes(1, 0x60, 0, 0));
const ONE_FUNCTION = section(3, bytes(1, 0));
const ONE_BODY = section(10, bytes(1, 2, 0, 0x0b));
const module = (...sections: Buffer[]): Buffer => Buffer.concat([HEADER, ...sections]);

/** A module of one function with this body, local declarations included. */
const withBody = (body: Buffer): Buffer =>
  module(TYPE, ONE_FUNCTION, section(10, bytes(1), leb(body.length), body));

const repeated = (count: number, part: Buffer): Buffer => Buffer.alloc(count * part.length, part);

const notModules: readonly (readonly [string, Buffer])[] = [
  ['nothing', Buffer.alloc(0)],
  ['one byte', bytes(0)],
  ['the magic number alone', HEADER.subarray(0, 4)],
  ['version 2', bytes(0, 0x61, 0x73, 0x6d, 2, 0, 0, 0)],
  ['a component', bytes(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0)],
  ['a page', HTML],
  ['a page with a module behind it', Buffer.concat([HTML, WHOLE])],
  ['a module behind a byte order mark', Buffer.concat([bytes(0xef, 0xbb, 0xbf), WHOLE])],
  ['a PDF', text('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<< /OpenAction << /S /JavaScript >> >>')],
  ['a program of Linux', Buffer.concat([text('\x7fELF\x02\x01\x01'), Buffer.alloc(100)])],
  ['a program of Windows', Buffer.concat([text('MZ'), Buffer.alloc(100)])],
  ['a script', text('#!/bin/sh\nrm -rf "$HOME"\n')],
  ['JavaScript', text('import("https://example.org/x.js")')],
  ['the text form of a module', text('(module (func (export "canister_query read")))')],
  ['a ZIP archive', Buffer.concat([text('PK\x03\x04'), WHOLE])],
  ['a picture', text('\x89PNG\r\n\x1a\n0000000000000000000000')],
  ['bzip2', Buffer.concat([text('BZh9'), WHOLE])],
  ['xz', Buffer.concat([bytes(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0), WHOLE])],
  ['zstd', Buffer.concat([bytes(0x28, 0xb5, 0x2f, 0xfd), WHOLE])],
  ['deflate without gzip', deflateSync(WHOLE)],
  ['gzip of a page', gzipSync(HTML)],
  ['gzip of gzip', gzipSync(gzipSync(WHOLE))],
  ['gzip of nothing', gzipSync(Buffer.alloc(0))],
  ['the header of gzip alone', gzipSync(WHOLE).subarray(0, 10)],
  ['half of gzip', gzipSync(WHOLE).subarray(0, 60)],
  ['gzip without its checksum', gzipSync(WHOLE).subarray(0, -8)],
  [
    'gzip with a wrong checksum',
    Buffer.concat([gzipSync(WHOLE).subarray(0, -8), bytes(1, 2, 3, 4, 5, 6, 7, 8)]),
  ],
  ['a section that is not known', module(section(13, bytes(0)))],
  ['a section of number 200', module(section(200, bytes(0)))],
  ['sections in a wrong order', module(ONE_FUNCTION, TYPE, ONE_BODY)],
  ['a section twice', module(TYPE, TYPE)],
  ['a section that is longer than the file', module(bytes(1, 0xff, 0x7f, 1))],
  ['a length of six bytes', module(bytes(1, 0x80, 0x80, 0x80, 0x80, 0x80, 1))],
  ['a metadata name that is longer than its section', module(bytes(0, 2, 0xff, 0x61))],
  ['four billion types', module(section(1, bytes(0xff, 0xff, 0xff, 0xff, 0x0f)))],
  [
    'four billion exports',
    module(TYPE, ONE_FUNCTION, section(7, bytes(0xff, 0xff, 0xff, 0xff, 0x0f)), ONE_BODY),
  ],
  ['an export of nothing', module(TYPE, ONE_FUNCTION, section(7, bytes(1, 1, 0x61, 0, 9)), ONE_BODY)],
  ['a function without a body', module(TYPE, ONE_FUNCTION)],
  ['a body without a function', module(TYPE, ONE_BODY)],
  ['a body that is no code', withBody(bytes(0, 0xff, 0x0b))],
  ['four billion local variables', withBody(bytes(1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x7f, 0x0b))],
  ['a stack that runs empty', withBody(bytes(0, 0x1a, 0x0b))],
  [
    'a hundred thousand blocks without end',
    withBody(Buffer.concat([bytes(0), repeated(100_000, bytes(0x02, 0x40))])),
  ],
  ['a start function that is not there', module(TYPE, ONE_FUNCTION, section(8, bytes(5)), ONE_BODY)],
  ['two memories of which one is shared', module(section(5, bytes(2, 3, 1, 1, 0, 1)))],
  [
    'a name that is not UTF-8',
    module(TYPE, ONE_FUNCTION, section(7, bytes(1, 2, 0xc3, 0x28, 0, 0)), ONE_BODY),
  ],
];

const notForCanisters: readonly (readonly [string, Buffer])[] = [
  ['a function of a browser', moduleOf({ imports: [['env', 'alert']] })],
  ['a function of WASI', moduleOf({ imports: [['wasi_snapshot_preview1', 'fd_write']] })],
  ['a function of the system from elsewhere', moduleOf({ imports: [['ic1', 'msg_reply']] })],
  ['a function of the system with a wrong type', moduleOf({ imports: [['ic0', 'msg_arg_data_copy']] })],
  [
    'an import whose name tries to be a line of a log',
    moduleOf({ imports: [['env\n{"level":60}', '\u202etxt.exe']] }),
  ],
  ['an export that is reserved', moduleOf({ exports: ['canister_own_everything'] })],
  [
    'a method that is a query and an update',
    moduleOf({ exports: ['canister_query a', 'canister_update a'] }),
  ],
  ['a method with a name of 20,001 bytes', moduleOf({ exports: [`canister_query ${'a'.repeat(20_001)}`] })],
  ['1,001 methods', moduleOf({ exports: Array.from({ length: 1001 }, (_, at) => `canister_query ${at}`) })],
  [
    '17 sections of metadata',
    moduleOf({ after: Array.from({ length: 17 }, (_, at) => custom(`icp:public ${at}`)) }),
  ],
  ['metadata of more than 1 MiB', moduleOf({ after: [custom('icp:public a', Buffer.alloc(1_048_577))] })],
  ['metadata of one name twice', moduleOf({ after: [custom('icp:public a'), custom('icp:private a')] })],
  ['metadata for nobody', moduleOf({ after: [custom('icp:everybody a')] })],
  [
    '50,001 functions',
    module(
      TYPE,
      section(3, leb(50_001), Buffer.alloc(50_001)),
      section(10, leb(50_001), repeated(50_001, bytes(2, 0, 0x0b))),
    ),
  ],
  ['1,001 global variables', module(section(6, leb(1001), repeated(1001, bytes(0x7f, 0, 0x41, 0, 0x0b))))],
  ['a table of a million and one entries', module(section(4, bytes(1, 0x70, 0), leb(1_000_001)))],
  ['code of 11 MiB', withBody(Buffer.concat([bytes(0), Buffer.alloc(11 * 1024 * 1024, 1), bytes(0x0b)]))],
  [
    'a function of a million blocks',
    withBody(Buffer.concat([bytes(0), repeated(1_000_000, bytes(0x02, 0x40, 0x0b)), bytes(0x0b)])),
  ],
];

/** Every tenth of a module, and of a packed one: none of them is whole. */
const truncated = [0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].flatMap((part): HostileFile[] => {
  const cut = (whole: Buffer): Buffer => whole.subarray(0, Math.floor(whole.length * part));
  return [
    [`${part * 100}% of a module`, cut(WHOLE), 'invalid_wasm'],
    [`${part * 100}% of a packed module`, cut(gzipSync(WHOLE)), 'invalid_wasm'],
  ];
});

const zeros = gzipSync(Buffer.alloc(40 * 1024 * 1024));

export const hostileModules: readonly HostileFile[] = [
  ...[...notModules, ...notForCanisters].map(
    ([what, content]): HostileFile => [what, content, 'invalid_wasm'],
  ),
  ...truncated,
  [
    'a gzip bomb of 1 GiB',
    gzipSync(Buffer.concat([WHOLE, Buffer.alloc(1024 * 1024 * 1024 - WHOLE.length)])),
    'payload_too_large',
  ],
  ['a gzip bomb in pieces', Buffer.concat([gzipSync(WHOLE), zeros, zeros, zeros]), 'payload_too_large'],
];
