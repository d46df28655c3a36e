import { expect, test } from 'vitest';
import { uploadAssets } from '../../../ic/assets/asset-upload.ts';
import { withinLimit } from './publish-limit.ts';

const never = new AbortController().signal;
const MESSAGE = 'Publishing took longer than the limit of 1 s (PUBLISH_TIMEOUT_S).';

test('what is done in time is answered, and its errors stay as they are', async () => {
  const limit = { timeoutSeconds: 60, signal: never };
  expect(await withinLimit(limit, async () => 'done')).toBe('done');
  await expect(withinLimit(limit, () => Promise.reject(new RangeError('x')))).rejects.toThrow(RangeError);
});

test('work that never ends is left behind at the limit', async () => {
  await expect(
    withinLimit({ timeoutSeconds: 1, signal: never }, () => new Promise(() => undefined)),
  ).rejects.toThrow(MESSAGE);
});

test('an upload to a network that does not answer ends at the limit', async () => {
  const silent = new Promise<never>(() => undefined);
  const client = { call: () => silent, query: () => silent };
  const files = [{ key: '/a', contentType: 'text/plain', bytes: Buffer.from('a') }];
  const upload = withinLimit({ timeoutSeconds: 1, signal: never }, (signal) =>
    uploadAssets({ client, canisterId: 'aaaaa-aa', files, signal }),
  );
  await expect(upload).rejects.toThrow(MESSAGE);
});

test('the end of the server is no limit of time', async () => {
  const stopping = new AbortController();
  const work = withinLimit({ timeoutSeconds: 1, signal: stopping.signal }, async (signal) => {
    stopping.abort(new Error('the server stops'));
    signal.throwIfAborted();
  });
  await expect(work).rejects.toThrow('the server stops');
});
