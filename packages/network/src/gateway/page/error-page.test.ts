import { expect, test } from 'vitest';
import { ServedHosts } from '../../http/transport/served-hosts.ts';
import { findCanister } from '../visitors/addresses.ts';
import { rejectionPage, renderErrorPage } from './error-page.ts';

const id = 'rrkah-fqaaa-aaaaa-aaaaq-cai';
const served = new ServedHosts(['127.0.0.1', '*.apps.example.org', '*.net.localhost', `${id}.example.com`]);
const find = (host: string, path = '/', referer?: string): string | undefined => {
  const parsed = served.find(host);
  const found = parsed && findCanister(parsed, new URL(`http://network${path}`), referer);
  return found && `${Buffer.from(found.canisterId).toString('hex')}${found.raw ? ' raw' : ''}`;
};
const canister = '00000000000000010101';

test('the canister is found in the host, in the query, or in the query of the page that asks', () => {
  expect(find(`${id}.localhost:4943`)).toBe(canister);
  expect(find(`${id.toUpperCase()}.localhost`)).toBe(canister);
  expect(find(`${id}.raw.localhost:4943`)).toBe(`${canister} raw`);
  expect(find(`${id}.apps.example.org`)).toBe(canister);
  expect(find(`${id}.raw.net.localhost`)).toBe(`${canister} raw`);
  expect(find(`${id}.example.com`)).toBe(canister);
  expect(find('127.0.0.1:4943', `/?canisterId=${id}`)).toBe(canister);
  expect(find('127.0.0.1:4943', '/app.js', `http://127.0.0.1:4943/?canisterId=${id}`)).toBe(canister);
});

test('other addresses name no canister', () => {
  expect(find('localhost:4943')).toBeUndefined();
  expect(find('www.localhost')).toBeUndefined();
  expect(find(`${id}.www.localhost`)).toBeUndefined();
  expect(find(`www.${id}.localhost`)).toBeUndefined();
  expect(find('127.0.0.1', '/?canisterId=nonsense', 'not a url')).toBeUndefined();
  expect(find('127.0.0.1', '/', `http://127.0.0.1:4000/?canisterId=${id}`)).toBeUndefined();
});

test('error pages are plain words as HTML for browsers and as text for others', () => {
  const rejection = { rejectCode: 5, errorCode: 'IC0503', message: '<script>alert(1)</script>' };
  const page = rejectionPage(rejection);
  expect(page.status).toBe(500);
  const html = renderErrorPage(page, 'text/html,*/*');
  expect(html.contentType).toContain('text/html');
  expect(html.body).toContain('<h1>This canister failed to answer</h1>');
  expect(html.body).not.toContain('<script>');
  const text = renderErrorPage(page, '*/*');
  expect(text.contentType).toContain('text/plain');
  expect(text.body).toContain('This canister failed to answer\n');
  expect(rejectionPage({ ...rejection, errorCode: 'IC0301' }).status).toBe(404);
});
