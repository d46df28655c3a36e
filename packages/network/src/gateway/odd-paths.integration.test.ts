import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLocalNetwork, type LocalNetwork } from '../local-network.ts';
import { connect } from '../../test/agent.ts';
import { AssetSite } from '../../test/canisters/asset-site.ts';
import { lines, speak } from '../../test/speak.ts';

/** Addresses that nobody writes on purpose: each ends in a page of the site, its own 404, or a 400. */

const html = (text: string): { content: Buffer; type: string } => ({
  content: Buffer.from(text),
  type: 'text/html',
});
let dataDir: string;
let network: LocalNetwork;
/** A site with a page for what it does not have, one that answers everything with its start, and one of files only. */
let sites: Readonly<Record<'pages' | 'app' | 'files', AssetSite>>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-odd-paths-'));
  network = await createLocalNetwork({ dataDir, port: 0 });
  const agent = await connect(network.url, Ed25519KeyIdentity.generate());
  sites = {
    pages: await AssetSite.deploy(agent),
    app: await AssetSite.deploy(agent),
    files: await AssetSite.deploy(agent),
  };
  for (const site of Object.values(sites)) await site.put('/a/b.txt', html('file'));
  await sites.pages.put('/index.html', html('start'));
  await sites.pages.put('/a/index.html', html('folder'));
  await sites.pages.put('/404.html', html('lost'));
  await sites.app.put('/index.html', html('start'));
});
afterAll(async () => {
  await network.close();
  rmSync(dataDir, { recursive: true });
});

const START = ['200 start', '200 start', '404 not found'];
const FILE = ['200 file', '200 file', '200 file'];
const FOLDER = ['200 folder', '200 start', '404 not found'];
/** Its page leads to the address with a slash. */
const FOLDER_NAME = [307, '200 start', '404 not found'];
const LOST = ['404 lost', '200 start', '404 not found'];
const REFUSED = [400, 400, 400];
/** Canisters leave out what comes after the sign; the path with it is one that this site proves not to have. */
const CUT_OFF = [400, 400, '404 not found'];

const ADDRESSES: readonly (readonly [string, readonly (string | number)[]])[] = [
  ...['/', '//', '///', '/%2f', '/%2f%2f', '/?%', '/?%ff', '/??', '/?/../', '/'.repeat(5_000)].map(
    (path) => [path, START] as const,
  ),
  ...[
    '/a/b.txt',
    '/a//b.txt',
    '//a/b.txt',
    '//a//b.txt',
    '/a%2fb.txt',
    '/a%2f%2Fb.txt',
    '//%61/b.txt?x=//',
  ].map((path) => [path, FILE] as const),
  ...['/a/', '/a//', '/a?//'].map((path) => [path, FOLDER] as const),
  ...['/a', '//a', 'http://HOST//a'].map((path) => [path, FOLDER_NAME] as const),
  ...['/%', '/%zz', '/%f', '/a%', '/%ff', '/%c3%28', '/%ed%a0%80', '//%ff', '/a/b.txt#'].map(
    (path) => [path, REFUSED] as const,
  ),
  ...['/a'.repeat(1_025), '/a'.repeat(4_000), `/${'a/'.repeat(1_024)}`, `/${'/a'.repeat(2_000)}`].map(
    (path) => [path, REFUSED] as const,
  ),
  ...['/#', '/a#b'].map((path) => [path, CUT_OFF] as const),
  ...['*', 'a', 'http://HOST:x/', '/\u00e9'].map((path) => [path, REFUSED] as const),
  ...[
    '/.',
    '/..',
    '/./',
    '/../',
    '/a/../a/b.txt',
    '/a/./b.txt',
    '/%2e',
    '/%2e%2e/',
    '/%2E%2E%2fetc/passwd',
  ].map((path) => [path, LOST] as const),
  ...[
    '/a/%2e%2e/a/b.txt',
    '/..%5c..',
    '/%5c',
    '/\\',
    '/\\\\x',
    '/%252e%252e',
    '/a/b.txt/',
    '/x//y',
    '/x//',
  ].map((path) => [path, LOST] as const),
  ...[
    '/<$>',
    '/<*>',
    '/%3C%24%3E',
    '/a/%3C*%3E',
    '/%00',
    '/%0d%0aX:y',
    '/;a=b',
    '/*',
    '/|',
    '/"',
    '/%20',
    '/@',
  ].map((path) => [path, LOST] as const),
  ...['//@evil.example', '//:80', '//[', '/http://x/y', '/%e2%80%ae', '/%f0%9f%98%80', '/http:%2f%2fx'].map(
    (path) => [path, LOST] as const,
  ),
  ...[`/${'x'.repeat(12_000)}`, '/a'.repeat(1_024), `/${'%61'.repeat(4_000)}`, `/${'x/'.repeat(1_000)}`].map(
    (path) => [path, LOST] as const,
  ),
];

const shown = (path: string): string => (path.length > 60 ? `${path.slice(0, 8)}... (${path.length})` : path);
const ask = (site: AssetSite, path: string, method = 'GET'): ReturnType<typeof speak> => {
  const host = `${site.host}:${network.port}`;
  const head = [`${method} ${path.replace('HOST', host)} HTTP/1.1`, `Host: ${host}`, 'Connection: close'];
  return speak(network.port, lines(...head));
};

describe.each(ADDRESSES.map(([path, expected]) => ({ name: shown(path), path, expected })))(
  'the address $name',
  ({ path, expected }) => {
    test.each(['pages', 'app', 'files'] as const)('of %s', async (kind) => {
      const { status, body } = await ask(sites[kind], path);
      const wanted = expected[Object.keys(sites).indexOf(kind)];
      expect(typeof wanted === 'number' ? status : `${status} ${body}`).toBe(wanted);
    });
  },
);

test('an address that is too long for a request is refused before any of it is read', async () => {
  expect((await ask(sites.pages, `/${'x'.repeat(17_000)}`)).status).toBe(431);
});

test('what is refused is said in words, and nothing is said of a certificate', async () => {
  const { status, body } = await ask(sites.pages, '/%zz');
  expect([status, body]).toEqual([400, expect.stringContaining('not properly percent-encoded')]);
  expect(body).not.toContain('verified');
});
