import { PhotonImage } from '@silvia-odwyer/photon-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { pictureOf, pngOf } from '../support/pictures.ts';
import { startTestServer } from '../support/server.ts';

let server: Awaited<ReturnType<typeof startTestServer>>;
let ada: ApiClient;
let eve: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  ada = await ApiClient.signIn(server.url, 'ada');
  eve = await ApiClient.signIn(server.url, 'eve');
});
afterAll(() => server?.close());

/** One pixel, black. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=', 'base64');
/** Two pictures, black and then white. */
const ANIMATED = Buffer.from(
  'R0lGODlhAQABAIAAAAAAAP///yH/C05FVFNDQVBFMi4wAwEAAAAh+QQACgAAACwAAAAAAQABAAACAkQBACH5BAAKAAAALAAAAAABAAEAAAICTAEAOw==',
  'base64',
);
const NOT_AN_ICON = 'Invalid file format. Only PNG, GIF or JPEG allowed.';

async function iconOf(client: ApiClient, identifier: string): Promise<PhotonImage> {
  const { status, body } = await client.get(`/document/get/${identifier}`);
  expect(status).toBe(200);
  const [head, data = ''] = String(body.data).split(',');
  expect(head).toBe('data:image/png;base64');
  return PhotonImage.new_from_byteslice(Buffer.from(data, 'base64'));
}

describe('POST /document/sample', () => {
  test('gives each user the module that comes with the product, which a canister runs', async () => {
    const { status, body } = await ada.post('/document/sample', {});
    expect(status, body.error).toBe(200);
    const identifier = String(body.identifier);
    expect(body).toEqual({ data: { identifier }, identifier });
    const inspected = await ada.post('/canister/inspect', {
      canister_id: await ada.create('Sampled'),
      identifier,
    });
    expect(inspected.body).toMatchObject({
      module_hash: identifier,
      methods: { updates: expect.arrayContaining(['inc', 'add']) },
    });
    const foreign = { canister_id: await eve.create('Not sampled'), identifier };
    expect((await eve.post('/canister/inspect', foreign)).status, 'it is a document of each user').toBe(404);
    expect((await eve.post('/document/sample', {})).body).toEqual(body);
    expect((await eve.post('/canister/inspect', foreign)).status).toBe(200);
    expect((await fetch(`${server.url}/api/document/sample`, { method: 'POST' })).status).toBe(401);
  }, 300_000);
});

describe('[API-21] POST /document/upload/icon', () => {
  test.each([
    ['a PNG', pngOf('red')],
    ['a JPEG', Buffer.from(pictureOf('red').get_bytes_jpeg(90))],
    ['a GIF', GIF],
    ['an animated GIF', ANIMATED],
  ])('[API-22] %s becomes a PNG of 256 by 256 pixels', async (_what, bytes) => {
    const { status, body } = await ada.upload('/document/upload/icon', 'icon', bytes);
    expect(status).toBe(200);
    const identifier = String(body.identifier);
    expect(body).toEqual({ data: { identifier }, identifier });
    const icon = await iconOf(ada, identifier);
    expect([icon.get_width(), icon.get_height()]).toEqual([256, 256]);
  });

  test('of an animation the first picture stays', async () => {
    const icon = await iconOf(ada, await ada.uploadIcon(ANIMATED));
    expect([...icon.get_raw_pixels().subarray(0, 4)]).toEqual([0, 0, 0, 255]);
  });

  test.each([
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a drawing of lines', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['WebP', Buffer.from(pictureOf('red').get_bytes_webp())],
    ['nothing', Buffer.alloc(0)],
    ['half a picture', pngOf('red').subarray(0, 60)],
  ])('[VAL-18] %s is refused', async (_what, bytes) => {
    const { status, body } = await ada.upload('/document/upload/icon', 'icon', bytes, 'icon.png');
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: NOT_AN_ICON, code: 'invalid_icon' });
  });

  test('a file above 5 MiB is refused as too large, however large it is', async () => {
    for (const size of [5, 20]) {
      const large = Buffer.concat([pngOf('red'), Buffer.alloc(size * 1024 * 1024)]);
      const { status, body } = await ada.upload('/document/upload/icon', 'icon', large);
      expect(status).toBe(413);
      expect(body).toMatchObject({
        error: 'The file is larger than 5 MiB.',
        code: 'payload_too_large',
      });
    }
  });

  test('takes the field icon, nothing else', async () => {
    const { body } = await ada.upload('/document/upload/icon', 'wasm', pngOf('red'));
    expect(body).toMatchObject({ code: 'invalid_input' });
  });
});

describe('[API-22] GET /document/get/{identifier}', () => {
  test('the icon of somebody else, a module and an unknown name are answered alike', async () => {
    const module = await eve.uploadWasm(Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
    const names = [await ada.uploadIcon(pngOf('hers')), module, '0'.repeat(64), '../../etc/passwd'];
    const answers = await Promise.all(
      names.map((name) => eve.get(`/document/get/${encodeURIComponent(name)}`)),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body).toEqual(answers[0]?.body);
    }
  });

  test('a picture that two have uploaded belongs to both', async () => {
    const identifiers = await Promise.all([ada, eve].map((user) => user.uploadIcon(pngOf('both'))));
    expect(new Set(identifiers).size).toBe(1);
    for (const user of [ada, eve]) expect((await iconOf(user, identifiers[0] ?? '')).get_width()).toBe(256);
  });

  test('no answer can run in a browser', async () => {
    const { headers } = await ada.get(`/document/get/${await ada.uploadIcon(pngOf('safe'))}`);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
