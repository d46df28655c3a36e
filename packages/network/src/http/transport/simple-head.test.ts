import { expect, test } from 'vitest';
import { ServedHosts } from './served-hosts.ts';
import { parseSimpleHead as parse, type SimpleHead } from './simple-head.ts';

const HOSTS = new ServedHosts([]);
const parseSimpleHead = (text: string): SimpleHead | undefined => parse(text, HOSTS);

const PATH = '/api/v3/canister/ryjl3-tyaaa-aaaaa-aaaba-cai/query';
const head = (change: Record<string, string | undefined> = {}, line = `POST ${PATH} HTTP/1.1`): string => {
  const headers = {
    Host: 'localhost',
    'Content-Type': 'application/cbor',
    'Content-Length': '12',
    ...change,
  };
  const lines = Object.entries(headers).filter(([, value]) => value !== undefined);
  return [line, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
};

test('the head that agents send is understood', () => {
  expect(parseSimpleHead(head())).toEqual({ path: PATH, contentLength: 12 });
  expect(
    parseSimpleHead(head({ connection: 'Keep-Alive', 'user-agent': 'node', accept: '*/*' })),
  ).toBeDefined();
});

test.each([
  ['another method', head({}, `GET ${PATH} HTTP/1.1`)],
  ['another version of HTTP', head({}, `POST ${PATH} HTTP/1.0`)],
  ['another address', head({}, 'POST /index.html HTTP/1.1')],
  ['a query string', head({}, `POST ${PATH}?x=1 HTTP/1.1`)],
  ['no host', head({ Host: undefined })],
  ['a host that is not served', head({ Host: 'localhost.example.com' })],
  ['no length', head({ 'Content-Length': undefined })],
  ['two lengths', head({ 'content-length': '13' })],
  ['a length that is no number', head({ 'Content-Length': '0x10' })],
  ['a signed length', head({ 'Content-Length': '+12' })],
  ['chunks', head({ 'transfer-encoding': 'chunked' })],
  ['an expectation', head({ expect: '100-continue' })],
  ['a connection that is to end', head({ connection: 'close' })],
  ['an upgrade', head({ connection: 'upgrade', upgrade: 'h2c' })],
  ['another type', head({ 'Content-Type': 'application/json' })],
  ['a folded header', `${head()}\r\n x: y`],
  ['a header without a colon', `${head()}\r\nnonsense`],
  ['a space before the colon', `${head()}\r\nx : y`],
  ['a lone line feed', head({ x: 'y\nTransfer-Encoding: chunked' })],
  ['a control character', head({ x: '\u0000' })],
  ['a head that is too long', head({ x: 'y'.repeat(20_000) })],
])('%s is left to the server', (_name, text) => {
  expect(parseSimpleHead(text)).toBeUndefined();
});
