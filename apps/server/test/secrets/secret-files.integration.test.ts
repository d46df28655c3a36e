import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Product, startProduct } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { NO_NETWORK } from '../support/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'cannery-secret-files-'));
const webhookSecret = randomBytes(16).toString('hex');
const clientSecret = randomBytes(16).toString('hex');
let database: TestDatabase;
let product: Product;

function fileOf(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, `${content}\n`, { mode: 0o600 });
  return path;
}

beforeAll(async () => {
  database = await createTestDatabase();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  product = await startProduct({
    env: {
      IC_URL: NO_NETWORK,
      LOG_LEVEL: 'trace',
      DATABASE_URL_FILE: fileOf('database-url', addressOf(database)),
      GITHUB_APP_ID: '1',
      GITHUB_APP_SLUG: 'app',
      GITHUB_CLIENT_ID: 'client',
      GITHUB_CLIENT_SECRET_FILE: fileOf('client-secret', clientSecret),
      GITHUB_WEBHOOK_SECRET_FILE: fileOf('webhook-secret', webhookSecret),
      GITHUB_PRIVATE_KEY_FILE: fileOf(
        'key.pem',
        privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      ),
    },
  });
});
afterAll(async () => {
  await product.dispose();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function deliver(secret: string): Promise<number> {
  const body = JSON.stringify({ zen: 'Keep it logically awesome.' });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const answer = await fetch(`${product.url}/api/hooks/github`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'ping',
      'x-github-delivery': 'one',
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body,
  });
  return answer.status;
}

test('a server works with the secrets of files, and tells none of them', async () => {
  // It works on the database that the file names: the mark of its uploads is there.
  expect(await database.db.selectFrom('blob_place').selectAll().execute()).not.toEqual([]);
  expect(await deliver(webhookSecret)).toBe(202);
  expect(await deliver(`${webhookSecret}x`)).toBe(401);
  const answers = await Promise.all(
    ['/api/config', '/api/health', '/'].map(async (path) => (await fetch(product.url + path)).text()),
  );
  expect(answers[0]).toContain('github');
  const told = [...answers, product.output()].join('\n');
  expect(product.output()).toContain('/api/hooks/github');
  const password = new URL(addressOf(database)).password;
  expect(password.length).toBeGreaterThan(20);
  for (const secret of [webhookSecret, clientSecret, password, folder]) expect(told).not.toContain(secret);
});
