import { gzipSync } from 'node:zlib';
import { type Draft, fillForm } from './draft.ts';
import { hostileNumbers, hostileTexts, strangeValues } from './hostile-values.ts';
import type { Random } from './random.ts';

/** A way to make a request worse than its description allows. */
interface Spoiling {
  readonly name: string;
  readonly weight: number;
  spoil(draft: Draft, random: Random): void;
}

function hostileValue(random: Random): unknown {
  return random
    .weighted<{ weight: number; make: () => unknown }>([
      { weight: 6, make: () => random.of(hostileTexts) },
      { weight: 2, make: () => random.of(hostileNumbers) },
      { weight: 3, make: () => structuredClone(random.of(strangeValues)) },
      { weight: 0.2, make: () => 'x'.repeat(100_000) },
      { weight: 0.05, make: () => 'y'.repeat(1_200_000) },
    ])
    .make();
}

/** Objects within a body, the body first. */
function objectsIn(value: unknown, depth = 0): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null || depth > 4) return [];
  const inner = Object.values(value).flatMap((one) => objectsIn(one, depth + 1));
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
}

/** A value where only a text can be. An address that is longer than all headers may be is no request. */
const asText = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 1500);

/** Text as one segment of a path; what is no text in Unicode cannot be coded. */
const coded = (value: unknown): string => encodeURIComponent(asText(value).toWellFormed());

function spoilField(draft: Draft, random: Random): void {
  const objects = objectsIn(draft.fields);
  if (objects.length === 0) {
    if (draft.query.length === 0 || random.chance(0.5)) spoilSegment(draft, random);
    else random.of(draft.query)[1] = asText(hostileValue(random));
    return;
  }
  const object = random.of(objects);
  const names = Object.keys(object);
  if (names.length === 0) return;
  const name = random.of(names);
  random
    .weighted([
      { weight: 6, make: () => void (object[name] = hostileValue(random)) },
      { weight: 2, make: () => void delete object[name] },
      { weight: 1, make: () => void (object[random.of(['admin', 'user_id', 'id', 'constructor'])] = true) },
      { weight: 1, make: () => void (object[name] = [object[name], object[name]]) },
      { weight: 1, make: () => void (object[name] = `${asText(object[name])}${random.of(hostileTexts)}`) },
      { weight: 1, make: () => void (object[name] = asText(object[name]).slice(1)) },
    ])
    .make();
}

/** Puts a hostile text where an id or name belongs in the path. */
function spoilSegment(draft: Draft, random: Random): void {
  const segments = draft.path.split('/');
  const at = segments.findIndex((_segment, index) => draft.operation.path.split('/')[index]?.startsWith('{'));
  if (at === -1) draft.query.push([asText(random.of(hostileTexts)), asText(hostileValue(random))]);
  else {
    segments[at] = coded(hostileValue(random));
    draft.path = segments.join('/');
  }
}

const encodedPaths: readonly ((path: string, random: Random) => string)[] = [
  (path) => `${path}/`,
  (path) => path.replace('/', '//'),
  (path) => path.replace('/', '/./'),
  (path) => path.replace('/', '/%2e%2e/'),
  (path) => path.replace(/\/(?=[^/]*$)/, '%2f'),
  (path) => `${path}%00`,
  (path) => `${path}%ff`,
  (path) => `${path}%`,
  (path) => `${path};a=b`,
  (path) => path.toUpperCase(),
  (path) => `${path}?${'a=1&'.repeat(500)}`,
  (path) => `${path}?__proto__[x]=1&constructor.prototype.x=1`,
  (path) => `${path}/${'x'.repeat(4000)}`,
  (path, random) => `${path}?${random.of(hostileTexts.map(coded))}`,
];

const oddHeaders: readonly Readonly<Record<string, string>>[] = [
  { 'idempotency-key': '' },
  { 'idempotency-key': 'k'.repeat(5000) },
  { 'idempotency-key': 'äö' },
  { 'code-origin': 'dapp' },
  { 'code-origin': 'registry x 0' },
  { 'code-origin': `dapp ${'x'.repeat(300)}` },
  { 'last-event-id': '-1' },
  { 'last-event-id': '9'.repeat(30) },
  { 'last-event-id': '\u00ff' },
  { prefer: 'return=minimal' },
  { prefer: 'return=minimal, wait=10' },
  { accept: 'application/xml' },
  { 'accept-encoding': 'gzip;q=0, *;q=0' },
  { 'accept-language': '*'.repeat(2000) },
  { range: 'bytes=0-0,-1' },
  { 'if-none-match': '*' },
  { 'if-modified-since': 'yesterday' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-forwarded-for': '127.0.0.1, ::1' },
  { 'x-forwarded-host': 'evil.example' },
  { forwarded: 'for=unknown;host=evil.example' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { cookie: 'token=1; token=2; =; a' },
  { cookie: `x=${'y'.repeat(3000)}` },
  { te: 'trailers' },
  { 'content-encoding': 'gzip' },
  { 'content-language': '\u00e9' },
  { 'user-agent': '' },
  { 'user-agent': '<script>alert(1)</script>'.repeat(50) },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
];

const contentTypes: readonly string[] = [
  '',
  'application/json; charset=utf-16',
  'application/json; charset=',
  'application/problem+json',
  'application/xml',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'b'.repeat(200)}`,
  'multipart/mixed; boundary=x',
  'application/octet-stream',
  'a/b',
  '/',
  'application/json, text/plain',
  'application/cbor',
];

/** What can become of the bytes of a body. */
const brokenBodies: readonly ((body: Buffer, random: Random) => Buffer)[] = [
  (body, random) => body.subarray(0, random.below(body.length + 1)),
  (body, random) => {
    const copy = Buffer.from(body);
    for (let count = 0; count < 3 && copy.length > 0; count += 1)
      copy[random.below(copy.length)] = random.below(256);
    return copy;
  },
  (body) => Buffer.concat([body, body]),
  (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
  (body) => Buffer.from(body.toString('utf8'), 'utf16le'),
  (body) => gzipSync(body),
  (body) => Buffer.from(`[${body.toString('utf8')}]`),
  (body) => Buffer.from(JSON.stringify(body.toString('utf8'))),
  () => Buffer.from('null'),
  () => Buffer.from('{"a":1e999999}'),
  () => Buffer.from('{"name":"\\ud800","name":"b"}'),
  () => Buffer.from(`{"name":${'['.repeat(20_000)}`),
  () => Buffer.from(`{${'"a":1,'.repeat(5000)}"b":1}`),
  (_body, random) => random.bytes(random.below(2000)),
  (_body, random) => Buffer.alloc(random.of([0, 1, 17_000, 1_100_000]), 32),
];

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'LOCK',
  'SEARCH',
];

function spoilUpload(draft: Draft, random: Random): void {
  const file = random.of<() => Buffer>([
    () => Buffer.alloc(0),
    () => random.bytes(random.below(3000)),
    () => Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...random.bytes(200)]),
    () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...random.bytes(200)]),
    () => gzipSync(Buffer.alloc(100_000)),
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    () => Buffer.alloc(300_000, 0x61),
  ])();
  fillForm(
    draft,
    file,
    random,
    random
      .of(hostileTexts)
      .replaceAll(/\p{Cc}/gu, '')
      .slice(0, 300),
  );
  if (random.chance(0.4)) draft.body = random.of(brokenBodies)(draft.body ?? Buffer.alloc(0), random);
}

/** The body that a draft has so far, as bytes. */
export function bodyOf({ body, fields, method }: Draft): Buffer | undefined {
  if (body !== undefined) return body;
  if (fields === undefined) return method === 'GET' || method === 'HEAD' ? undefined : Buffer.alloc(0);
  return Buffer.from(JSON.stringify(fields) ?? '');
}

/** All ways, with how often each is taken. */
export const spoilings: readonly Spoiling[] = [
  { name: 'as described', weight: 40, spoil: () => undefined },
  {
    name: 'a value is hostile',
    weight: 28,
    spoil: (draft, random) => {
      const isUpload = draft.operation.upload !== undefined;
      for (let count = random.below(3); count >= 0; count -= 1)
        (isUpload ? spoilUpload : spoilField)(draft, random);
    },
  },
  {
    name: 'every value is hostile',
    weight: 8,
    spoil: (draft, random) => {
      const object = objectsIn(draft.fields)[0] ?? {};
      for (const name of Object.keys(object)) object[name] = hostileValue(random);
      for (const pair of draft.query) pair[1] = asText(hostileValue(random));
      spoilSegment(draft, random);
    },
  },
  {
    name: 'the body is no object',
    weight: 3,
    spoil: (draft, random) => void (draft.fields = hostileValue(random)),
  },
  {
    name: 'the body is broken',
    weight: 8,
    spoil: (draft, random) => {
      draft.body = random.of(brokenBodies)(bodyOf(draft) ?? Buffer.from('{}'), random);
    },
  },
  {
    name: 'another content type',
    weight: 4,
    spoil: (draft, random) => void (draft.headers['content-type'] = random.of(contentTypes)),
  },
  {
    name: 'another method',
    weight: 4,
    spoil: (draft, random) => void (draft.method = random.of(methods)),
  },
  {
    name: 'another path',
    weight: 4,
    spoil: (draft, random) => void (draft.path = random.of(encodedPaths)(draft.path, random)),
  },
  {
    name: 'a query twice',
    weight: 2,
    spoil: (draft, random) => {
      const [first = ['real_time', 'true']] = draft.query;
      draft.query.push([first[0], asText(random.of(hostileTexts))], [`${first[0]}[]`, 'x']);
    },
  },
  {
    name: 'odd headers',
    weight: 5,
    spoil: (draft, random) => {
      for (let count = random.below(3); count >= 0; count -= 1)
        Object.assign(draft.headers, random.of(oddHeaders));
    },
  },
];
