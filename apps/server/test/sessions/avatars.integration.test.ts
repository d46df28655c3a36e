import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { startPictureHost, trustPictureHost } from '../../src/picture/picture-host.testing.ts';
import { pictureSize } from '../../src/picture/picture-size.ts';
import { ApiClient } from '../support/client.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

trustPictureHost();

const WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');

test('[NAV-16] [ENT-01] a picture elsewhere is served from our origin, drawn again, fetched once, and never from inside', async () => {
  const asked: string[] = [];
  await using host = await startPictureHost((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/page')
      response.setHeader('content-type', 'image/png').end('<script>1</script>'.repeat(9));
    else response.end(WEBP);
  });
  const base = `https://localhost:${host.port}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'cannery-avatars-'));
  const server = await startTestServer({
    DATA_DIR: dataDir,
    IC_URL: NO_NETWORK,
    EGRESS_PRIVATE_HOSTS: `localhost:${host.port}`,
  });
  const db = openDatabase(embeddedConnection(dataDir), 1);
  try {
    const named = async (login: string, avatar: string): Promise<string> => {
      const client = await ApiClient.signIn(server.url, login);
      await db.updateTable('users').set({ avatar }).where('username', '=', login).execute();
      const { body } = await client.get('/user/profile');
      expect(new URL(String(body.avatar)).origin).toBe(server.url);
      return String(body.avatar);
    };

    const ada = await named('ada', `${base}/ada.webp`);
    const answers = await Promise.all([fetch(ada), fetch(ada)]);
    answers.push(await fetch(ada));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      const size = pictureSize(Buffer.from(await answer.arrayBuffer()));
      expect(size).toEqual({ width: 128, height: 128 });
    }
    expect(asked).toEqual(['/ada.webp']);
    const other = await named('ada', `${base}/other.webp`);
    expect(other).not.toBe(ada);
    expect((await fetch(other)).status).toBe(200);

    for (const [login, address] of [
      ['page', `${base}/page`],
      ['inside', 'https://127.0.0.1:9/a.png'],
      ['metadata', 'https://169.254.169.254/latest'],
      ['plain', 'http://example.org/a.png'],
    ] as const) {
      const url = await named(login, address);
      expect((await fetch(url)).status, login).toBe(404);
    }
    const before = asked.length;
    expect((await fetch(await named('page', `${base}/page`))).status).toBe(404);
    expect(asked.length, 'what cannot be drawn is not fetched again at once').toBe(before);
    for (const stranger of ['x', '..%2f..', '00000000-0000-4000-8000-000000000000']) {
      expect((await fetch(`${server.url}/api/avatars/${stranger}`)).status, stranger).toBe(404);
    }
  } finally {
    await db.destroy();
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
