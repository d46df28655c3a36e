import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';
import { currentRequestId, inRequest } from './request-context.ts';

const logger = new URL('./logger.ts', import.meta.url).href;
/** A server in small: it logs now and then, and says at its end that it got there. */
const program = `
  const { createLogger } = await import(${JSON.stringify(logger)});
  const log = createLogger({ logLevel: 'info' });
  for (let line = 0; line < 10; line += 1) {
    log.info({ line }, 'a line');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  process.stderr.write('reached its end');
`;

// There is no such device elsewhere: each write to it fails as on a disk that is full.
test.skipIf(process.platform !== 'linux')(
  'a log that cannot be written costs lines, and not the server',
  async () => {
    const command = [process.execPath, '--input-type=module', '-e', program];
    const { stderr } = await promisify(execFile)('sh', ['-c', 'exec "$@" > /dev/full', 'sh', ...command], {
      timeout: 60_000,
    });
    expect(stderr).toContain('reached its end');
  },
);

test('a line has the fields that it was given, and none of an earlier line of the same request', () => {
  const lines: unknown[] = [];
  const log = createLogger({ logLevel: 'warn' }, (line) => lines.push(JSON.parse(line)));
  inRequest('request-1', () => {
    log.warn({ deployId: 'a', request_id: 'another' }, 'one');
    log.warn('two');
    expect(currentRequestId()).toBe('request-1');
  });
  expect(lines[1]).toEqual({ level: 40, time: expect.any(String), request_id: 'request-1', msg: 'two' });
});
