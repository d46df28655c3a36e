import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PhotonImage } from '@silvia-odwyer/photon-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../src/builders/sandbox/sandbox.ts';
import { findToolchain } from '../../src/builders/sandbox/toolchain.ts';
import { type EgressProxy, startEgressProxy } from '../../src/egress/egress-proxy.ts';
import type { Logger } from '../../src/log/logger.ts';
import { pictureSize } from '../../src/picture/picture-size.ts';
import { canTakePictures, takePicture } from '../../src/site-picture/take-picture.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';
import { mostDuring } from '../support/process-memory.ts';
import { sandboxesHere } from '../support/sandboxes-here.ts';

const MIB = 1024 ** 2;
const log = { warn: () => undefined } as unknown as Logger;
const folder = mkdtempSync(join(tmpdir(), 'cannery-pictures-'));
const buildsFolder = join(folder, 'builds');
const tenantsFolder = join(folder, 'tenants');
const signal = new AbortController().signal;
let egress: EgressProxy;
let sandboxes: Sandbox[];
/** A server that no page may reach. */
let canary: Server;
let reached: string[] = [];

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function serve(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  mkdirSync(buildsFolder);
  egress = startEgressProxy({ log });
  sandboxes = (await sandboxesHere(await findToolchain(process.env), folder)).filter((sandbox) =>
    canTakePictures({ sandbox }),
  );
  canary = await serve((request, response) => {
    reached.push(request.url ?? '');
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('<body style="background:red">');
  });
  canary.on('connection', () => reached.push('connection'));
});

afterAll(async () => {
  await egress.close();
  canary.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A picture of a page, taken in the first sandbox of this machine unless another is given. */
async function pictureOf(body: string, { timeoutMs = 30_000, sandbox = sandboxes[0] } = {}): Promise<Buffer> {
  if (sandbox === undefined) throw new Error('No sandbox here.');
  const site = await serve((request, response) => {
    const isPage = request.url === '/';
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' }).end(isPage ? body : '');
  });
  try {
    const address = `http://site.localhost:${portOf(site)}/`;
    return await takePicture({ sandbox, egress, buildsFolder, tenantsFolder, timeoutMs }, address, signal);
  } finally {
    site.close();
  }
}

/** Red, green and blue in the middle of a picture. */
function middleOf(picture: Buffer): number[] {
  const image = PhotonImage.new_from_byteslice(picture);
  const at = (200 * image.get_width() + 320) * 4;
  return [...image.get_raw_pixels().subarray(at, at + 3)];
}

/** JPEG moves colours a little. */
function expectColour(picture: Buffer, colour: readonly number[]): void {
  for (const [place, value] of middleOf(picture).entries())
    expect(Math.abs(value - (colour[place] ?? 0)), `${middleOf(picture)}`).toBeLessThan(12);
}

const GREEN = [0, 160, 80];
const paint = `document.body.style.background = 'rgb(${GREEN.join(',')})';`;
const painting = (script: string): string => `<!doctype html><body><script>${script}</script>`;

test('a page is shown as its scripts have made it, 640 by 400 pixels', async () => {
  for (const sandbox of sandboxes) {
    const picture = await pictureOf(painting(`setTimeout(() => { ${paint} }, 200);`), { sandbox });
    expect(pictureSize(picture), sandbox.name).toEqual({ width: 640, height: 400 });
    expectColour(picture, GREEN);
    expect(picture.length).toBeLessThan(40_000);
    expect(readdirSync(buildsFolder)).toEqual([]);
  }
});

test('[R7] a page reaches no other host, port or file, and is pictured all the same', async () => {
  reached = [];
  const other = `127.0.0.1:${portOf(canary)}`;
  const picture = await pictureOf(
    painting(`
      for (const address of ['http://${other}/fetch', 'http://localhost:${portOf(canary)}/name', 'file:///etc/passwd'])
        fetch(address, { mode: 'no-cors' }).catch(() => {});
      new Image().src = 'http://${other}/image';
      new WebSocket('ws://${other}/socket');
      try { new EventSource('http://${other}/events'); } catch {}
      navigator.sendBeacon('http://${other}/beacon');
      const frame = document.createElement('iframe');
      frame.src = 'http://${other}/frame';
      document.body.append(frame);
      window.open('http://${other}/window');
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'turn:${other}?transport=tcp', username: 'a', credential: 'b' }] });
      peer.createDataChannel('a');
      peer.createOffer().then((offer) => peer.setLocalDescription(offer));
      setTimeout(() => { ${paint} }, 300);`),
  );
  expectColour(picture, GREEN);
  expect(reached).toEqual([]);
});

test('[R7] a page that waits for an answer to its dialogs is pictured', async () => {
  expectColour(await pictureOf(painting(`alert(1); confirm(2); prompt(3); ${paint}`)), GREEN);
});

test.each([
  ['leads to another host', () => painting(`location.href = 'http://127.0.0.1:${portOf(canary)}/away'`)],
  ['never lets go', () => painting('for (;;);')],
])('[R7] a page that %s has no picture, and leaves nothing behind', async (_what, body) => {
  reached = [];
  await expect(pictureOf(body(), { timeoutMs: 8_000 })).rejects.toThrow(/did not open|led to|longer than/);
  expect(reached).toEqual([]);
  expect(readdirSync(buildsFolder)).toEqual([]);
});

test('[R7] a page that asks for gigabytes ends at its limit, with the whole browser', {
  timeout: 180_000,
}, async () => {
  const greedy = painting(
    'const kept = []; setInterval(() => { for (let i = 0; i < 4; i += 1) kept.push(new Uint8Array(2 ** 25).fill(1)); }, 5);',
  );
  const sum = (all: readonly { kept: number }[]): number => all.reduce((total, { kept }) => total + kept, 0);
  for (const sandbox of sandboxes) {
    const { result, most } = await mostDuring(sum, () =>
      pictureOf(greedy, { sandbox, timeoutMs: 60_000 }).then(
        () => 'a picture',
        (error: Error) => error.message,
      ),
    );
    // A page may also be ended by the browser itself, which then shows another one.
    expect(result, sandbox.name).toMatch(/more than 768 MB|too much memory|did not open|led to|a picture/);
    expect(most, sandbox.name).toBeLessThan(1024 * MIB);
    expect(readdirSync(buildsFolder)).toEqual([]);
  }
});

test('a page that is not there has none', async () => {
  const [sandbox] = sandboxes;
  if (sandbox === undefined) throw new Error('No sandbox here.');
  const studio = { sandbox, egress, buildsFolder, tenantsFolder };
  await expect(takePicture(studio, 'http://site.localhost:9/', signal)).rejects.toThrow(
    /did not open|led to/,
  );
  await expect(takePicture(studio, 'ftp://site.localhost/', signal)).rejects.toThrow('no http address');
});

async function pictureAddress({ ada }: DeployClient, id: string): Promise<string | null> {
  const { parts } = await ada.call<{ parts: { picture: string | null }[] }>('GET', `/deploy/${id}`);
  return parts[0]?.picture ?? null;
}

test('a website gets a picture after each run, and loses it with its deploy', async () => {
  const client = await startDeployClient({ env: { SITE_PICTURES: 'on' } });
  try {
    const page = (colour: string) => ({ 'index.html': `<!doctype html><body style="background:${colour}">` });
    await client.push('bakery', page('rgb(0,160,80)'));
    const id = await client.create('bakery', 'STATIC_SITE');
    expect((await client.run(id)).status).toBe('COMPLETED');
    await expect.poll(() => pictureAddress(client, id)).not.toBeNull();
    const first = (await pictureAddress(client, id)) ?? '';
    const answer = await fetch(first);
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expectColour(Buffer.from(await answer.arrayBuffer()), GREEN);

    await client.push('bakery', page('rgb(40,40,200)'));
    await client.run(id);
    await expect.poll(() => pictureAddress(client, id)).not.toBe(first);
    const second = (await pictureAddress(client, id)) ?? '';
    expectColour(Buffer.from(await (await fetch(second)).arrayBuffer()), [40, 40, 200]);

    await client.ada.call('DELETE', `/deploy/${id}?canisters=keep`);
    expect((await fetch(second)).status).toBe(404);
    const made = new URL(second);
    for (const wrong of ['..%2f', "'%20or%201=1", 'a'.repeat(64)]) {
      expect((await fetch(`${made.origin}/api/site-pictures/${wrong}`)).status, wrong).toBe(404);
    }
    expect(existsSync(join(client.product.dataDir, 'builds'))).toBe(true);
    expect(readdirSync(join(client.product.dataDir, 'builds'))).toEqual([]);
  } finally {
    await client.dispose();
  }
});
