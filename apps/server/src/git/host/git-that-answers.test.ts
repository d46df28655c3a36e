import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type Program, startProgram } from '../../starter/start-program.ts';
import { GitUnansweredError, gitThatAnswers } from './git-that-answers.ts';

const env = { PATH: process.env.PATH ?? '' };

/** Both ends of a connection. */
async function connected() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [connection] = (await once(server, 'connection')) as [Socket];
  return { server, client, connection };
}

test('a git for which nobody waits any more is ended, is not started again, and is no line of the log', async () => {
  const { client, connection, server } = await connected();
  const started: Program[] = [];
  const lines: unknown[] = [];
  const asked = gitThatAnswers(
    async () => {
      const git = await startProgram('sleep', ['600'], env, { withErrors: true });
      started.push(git);
      client.destroy();
      return git;
    },
    { connection, log: { warn: (line: unknown) => void lines.push(line) } },
  );
  await expect(asked).rejects.toThrow(GitUnansweredError);
  expect(started).toHaveLength(1);
  expect(await started[0]?.ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(lines).toEqual([]);
  server.close();
});

test('how a git ended that said nothing is told to the operator', async () => {
  const { client, connection, server } = await connected();
  const lines: unknown[] = [];
  let starts = 0;
  const answers = `printf 'Content-Type: text/plain\\r\\n\\r\\nhere'`;
  const { headers, git } = await gitThatAnswers(
    () => {
      starts += 1;
      return startProgram('sh', ['-c', starts === 1 ? 'echo no room >&2; exit 128' : answers], env, {
        withErrors: true,
      });
    },
    { connection, log: { warn: (line: unknown) => void lines.push(line) } },
  );
  expect([...headers]).toEqual([['content-type', 'text/plain']]);
  expect(String(Buffer.concat(await git.output.toArray()))).toBe('here');
  expect(lines).toEqual([{ how: 'code 128, no room', tries: 1 }]);
  client.destroy();
  server.close();
});
