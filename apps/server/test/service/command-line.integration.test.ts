import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ApiToken, DeployAnswer, DeployInstanceAnswer } from '@cannery/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ended, runCli, type RunningCli, startCli } from './cli-program.ts';
import { openCuttingProxy } from './cutting-proxy.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';
import { readStream } from '../support/event-reader.ts';

const RUN_SCRIPT = fileURLToPath(new URL('../../../../scripts/run.mjs', import.meta.url));
const NOBODY = '00000000-0000-4000-8000-000000000000';
const both = ['deploys:read', 'deploys:run'];

/** Each call starts a process, which takes long on a busy machine. */
const MANY_CALLS_MS = 180_000;

let client: DeployClient;
/** Environment of a CI that has a token with both scopes. */
let ci: Record<string, string>;
let site: string;

const started: RunningCli[] = [];
const start = (env: Readonly<Record<string, string>>, args: readonly string[]): RunningCli => {
  const cli = startCli(env, args);
  started.push(cli);
  return cli;
};

beforeAll(async () => {
  client = await startDeployClient({ env: { RATE_LIMIT: '10000' } });
  await client.push('site', { 'index.html': '<h1>Fresh</h1>' });
  site = await client.create('site', 'STATIC_SITE');
  ci = await environment({});
});
afterAll(async () => {
  for (const cli of started) cli.kill();
  await client.dispose();
});

async function newToken(body: object): Promise<ApiToken & { secret: string }> {
  return client.ada.call('POST', '/api-tokens', { label: 'CI', scopes: both, ...body });
}
async function environment(body: object): Promise<Record<string, string>> {
  return { CANNERY_URL: client.product.url, CANNERY_TOKEN: (await newToken(body)).secret };
}

/** A deploy of the site that a command builds. */
const building = (command: string) => client.create('site', 'STATIC_SITE', { build_command: command });
const runsOf = async (id: string): Promise<DeployInstanceAnswer[]> =>
  (await client.ada.call<{ data: DeployInstanceAnswer[] }>('GET', `/deploy/${id}/instances`)).data;
const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);

async function until(condition: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 60_000; !condition(); await delay(10)) {
    if (Date.now() > end) throw new Error(`Waited too long: ${what}`);
  }
}

test(
  'a site is listed, deployed with its log, read again, rolled back and cancelled',
  async () => {
    expect((await runCli(ci, ['list'], 0)).stdout).toMatch(new RegExp(`${site}  site .* never run\n`));
    const { stdout, stderr } = await runCli(ci, ['deploy', 'site', '--follow'], 0);
    const [run] = await runsOf(site);
    expect(run?.status).toBe('COMPLETED');
    const whole = await client.instance(site, String(run?.id));
    expect(stdout).toBe(`${whole.logs}\n`);
    expect(stderr).toBe(`Run ${run?.id} is started.\nRun ${run?.id}: COMPLETED\n`);
    expect((await client.page(site)).text).toContain('Fresh');
    const { stdout: listed } = await runCli(ci, ['list'], 0);
    expect(listed).toMatch(/ COMPLETED +[0-9a-f]{7} Import site \(Ada\)\n/);

    expect((await runCli(ci, ['logs', 'site'], 0)).stdout).toBe(stdout);
    expect((await runCli(ci, ['logs', site, String(run?.id), '--follow'], 0)).stdout).toBe(stdout);

    await client.push('site', { 'index.html': '<h1>Stale</h1>' });
    const second = await runCli(ci, ['deploy', site, '--wait', '--json'], 0);
    expect(JSON.parse(second.stdout)).toEqual({
      deploy_id: site,
      run_id: (await runsOf(site))[0]?.id,
      status: 'COMPLETED',
    });
    expect((await client.page(site)).text).toContain('Stale');
    const back = await runCli(ci, ['rollback', 'site', String(run?.id), '--wait'], 0);
    expect(await client.instance(site, back.stdout.trim())).toMatchObject({ rollback_of: run?.id });
    expect((await client.page(site)).text).toContain('Fresh');
    // The program as the root of the project starts it, with the code that it ends with.
    const script = startCli(ci, ['logs', 'site', NOBODY], [RUN_SCRIPT, 'cli']);
    expect((await script.ended).code).toBe(3);

    const slow = await building('sleep 60');
    const waits = (await runCli(ci, ['deploy', slow], 0)).stdout.trim();
    const follow = start(ci, ['logs', slow, '--follow']);
    await until(() => follow.stdout().includes('Building'), 'the build begins');
    expect((await runCli(ci, ['cancel', slow], 0)).stdout.trim()).toBe(waits);
    expect(await follow.ended).toMatchObject({ code: 1, stderr: `Run ${waits}: FAILED\n` });
    expect((await runCli(ci, ['cancel', slow], 3)).stderr).toContain('No run of this deploy');
    expect((await runCli(ci, ['cancel', slow, waits, '--json'], 0)).stdout).toContain('"status":"FAILED"');
  },
  MANY_CALLS_MS,
);

test('a log that is followed goes on after a cut where it was, each line once', async () => {
  const id = await building('for n in $(seq 60); do echo line $n; sleep 0.1; done');
  const proxy = await openCuttingProxy(client.product.url);
  try {
    const cli = start({ ...ci, CANNERY_URL: proxy.url }, ['deploy', id, '--follow', '--json']);
    const seen = (text: string) => until(() => cli.stdout().includes(text), text);
    await seen('line 5"');
    proxy.cut(0);
    await seen('line 20"');
    // And once for longer than one try.
    proxy.cut(1_500);
    const { code, stdout, stderr } = await cli.ended;
    expect([code, stderr], stderr).toEqual([0, expect.stringContaining('Trying again')]);
    const values = linesOf(stdout).map((line) => JSON.parse(line) as { number: number; text: string });
    const [run] = await runsOf(id);
    expect(values.pop()).toEqual({ deploy_id: id, run_id: run?.id, status: 'COMPLETED' });
    expect(values.map(({ number }) => number)).toEqual(values.map((_, place) => place + 1));
    const whole = await client.instance(id, String(run?.id));
    expect(values.map(({ text }) => text).join('\n')).toBe(whole.logs);
    const streams = proxy.sent.filter((text) => text.includes('/log HTTP/1.1'));
    expect(streams.length).toBeGreaterThanOrEqual(3);
    for (const text of streams.slice(1)) expect(text.toLowerCase()).toMatch(/last-event-id: [1-9]/);
  } finally {
    await proxy.close();
  }
});

test('a call whose answer is lost is sent again, and starts no second run', async () => {
  const id = await building('sleep 4');
  const proxy = await openCuttingProxy(client.product.url);
  const through = { ...ci, CANNERY_URL: proxy.url };
  const lose = async (call: string, args: string[]): Promise<Ended> => {
    proxy.loseAnswerTo(`/${call} HTTP/1.1`);
    const before = proxy.lost();
    const ended = await runCli(through, args, 0);
    expect(proxy.lost()).toBe(before + 1);
    return ended;
  };
  try {
    const first = (await lose('trigger', ['deploy', id])).stdout.trim();
    expect((await runsOf(id)).map((run) => run.id)).toEqual([first]);
    expect((await client.finished(id, first)).status).toBe('COMPLETED');
    const back = (await lose('rollback', ['rollback', id, first])).stdout.trim();
    expect((await runsOf(id)).map((run) => run.id)).toEqual([back, first]);
    await client.finished(id, back);
  } finally {
    await proxy.close();
  }
});

test('too many streams: it waits until there is room', async () => {
  const id = await building('for n in $(seq 150); do echo line $n; sleep 0.1; done');
  const run = { id, instanceId: await client.trigger(id) };
  const others = await Promise.all([1, 2, 3, 4].map(() => readStream(client.product, client.ada, run)));
  const cli = start(ci, ['logs', id, '--follow', '--retry-for', '0']);
  await until(() => cli.stderr().includes('4 logs open at once'), 'it is told to wait');
  expect(cli.stdout()).toBe('');
  for (const other of others) other.close();
  await until(() => cli.stdout().includes('line 1'), 'its turn comes');
  await client.ada.call('POST', `/deploy/${id}/instances/${run.instanceId}/cancel`);
  expect((await cli.ended).code).toBe(1);
});

test(
  'the exit code says what came of it',
  async () => {
    const failing = await building('echo no >&2; exit 7');
    expect((await runCli(ci, ['deploy', failing, '--follow'], 1)).stdout).toContain('no');
    expect((await runCli(ci, ['deploy', failing, '--wait'], 1)).stderr).toContain('FAILED');
    const [run] = await runsOf(failing);
    expect((await runCli(ci, ['rollback', failing, String(run?.id)], 1)).stderr).toContain('has succeeded');
    expect((await runCli(ci, ['logs', failing], 0)).stdout).toContain('no');

    await runCli(ci, ['deploy'], 2);
    await runCli({ ...ci, CANNERY_TOKEN: '' }, ['list'], 2);
    const twins = await runCli(ci, ['deploy', 'site'], 2);
    expect(twins.stderr).toContain(site);

    expect((await runCli(ci, ['deploy', 'bakery'], 3)).stderr).toContain("no deploy 'bakery'");
    expect((await runCli(ci, ['deploy', NOBODY], 3)).stderr).toContain('Deploy not found');
    await runCli(ci, ['logs', site, NOBODY], 3);
    await runCli(ci, ['logs', site, NOBODY, '--follow'], 3);
    await runCli(ci, ['logs', await building('true')], 3);

    const [reader, runner, limited] = [
      await environment({ scopes: ['deploys:read'] }),
      await environment({ scopes: ['deploys:run'] }),
      await environment({ deploy_ids: [site] }),
    ];
    expect((await runCli(reader, ['deploy', site], 4)).stderr).toContain('lacks the scope deploys:run');
    expect((await runCli(runner, ['list'], 4)).stderr).toContain('lacks the scope deploys:read');
    const alone = (await runCli(runner, ['deploy', site], 0)).stdout.trim();
    expect((await client.finished(site, alone)).status).toBe('COMPLETED');
    expect(JSON.parse((await runCli(limited, ['list', '--json'], 0)).stdout)).toMatchObject([{ id: site }]);
    await runCli(limited, ['deploy', failing], 3);
    const wrong = { ...ci, CANNERY_TOKEN: `${ci['CANNERY_TOKEN']?.slice(0, -3)}abc` };
    expect((await runCli(wrong, ['list'], 4)).stderr).toContain('API token is not valid');

    const nowhere = { ...ci, CANNERY_URL: 'http://127.0.0.1:9' };
    await runCli(nowhere, ['list', '--retry-for', '0'], 5);
    const beganAt = Date.now();
    await runCli(nowhere, ['list', '--retry-for', '2'], 5);
    expect(Date.now() - beganAt).toBeGreaterThan(1_900);
    await runCli({ ...ci, CANNERY_URL: client.product.networkUrl }, ['list', '--retry-for', '0'], 5);
  },
  MANY_CALLS_MS,
);

test('a token that is deleted while it follows ends the program', async () => {
  const id = await building('for n in $(seq 150); do echo line $n; sleep 0.1; done');
  const token = await newToken({});
  const cli = start({ ...ci, CANNERY_TOKEN: token.secret }, ['deploy', id, '--follow']);
  await until(() => cli.stdout().includes('line 3'), 'the log comes');
  await client.ada.call('DELETE', `/api-tokens/${token.id}`);
  expect((await cli.ended).code).toBe(4);
  const [run] = await runsOf(id);
  // The run goes on without it.
  expect(run?.status).toBe('RUNNING');
  await client.ada.call('POST', `/deploy/${id}/instances/${run?.id}/cancel`);
});

describe('what a server answers is not trusted', () => {
  const opened: Server[] = [];
  afterAll(() => {
    for (const server of opened) server.close().closeAllConnections();
  });
  async function serve(answer: RequestListener): Promise<Record<string, string>> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    opened.push(server);
    await delay(50);
    return { ...ci, CANNERY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }
  const EVIL = '\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u202e\u009b5m';

  test('nothing of it reaches the terminal but text', async () => {
    const [deploy] = await client.ada.call<DeployAnswer[]>('GET', '/deploy');
    const line = { first: 1, text: `${EVIL}\n${EVIL}`, at: null, after: [0, 0], phase: null };
    const evil = await serve((request, response) => {
      if (request.url?.endsWith('/log')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(
          `id: 2\nevent: lines\ndata: ${JSON.stringify(line)}\n\nevent: end\ndata: ${JSON.stringify({ status: EVIL })}\n\n`,
        );
      } else if (request.url === '/api/deploy') response.end(JSON.stringify([{ ...deploy, name: EVIL }]));
      else
        response
          .writeHead(400)
          .end(JSON.stringify({ error: EVIL, message: EVIL, code: EVIL, next_step: EVIL }));
    });
    // oxlint-disable-next-line no-control-regex -- nothing but printable characters and line breaks
    const harmless = /^[\n\u0020-\u007e]*$/;
    for (const [args, code] of [
      [['list'], 0],
      [['list', '--json'], 0],
      [['logs', NOBODY, NOBODY, '--follow'], 1],
      [['logs', NOBODY, NOBODY, '--follow', '--json'], 1],
      [['deploy', NOBODY], 1],
    ] as const) {
      // What a person would have in the terminal, though these are pipes.
      const { stdout, stderr } = await runCli({ ...evil, FORCE_COLOR: '1' }, args, code);
      expect(stdout + stderr, args.join(' ')).toMatch(harmless);
      expect(stdout + stderr).toContain('red');
    }
  });

  test('a redirect is not followed, so that the token goes nowhere else', async () => {
    const seen: (string | undefined)[] = [];
    const thief = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end('[]');
    });
    const redirecting = await serve((_request, response) =>
      response.writeHead(307, { location: `${thief['CANNERY_URL']}/api/deploy` }).end(),
    );
    await runCli(redirecting, ['list'], 5);
    expect(seen).toEqual([]);
  });

  test.each([
    ['a page', '<!doctype html><h1>Welcome</h1>'],
    ['another list', '[{"id":1}]'],
    ['nothing', ''],
  ])('%s is no answer', async (_what, body) => {
    const server = await serve((_request, response) => response.end(body));
    expect((await runCli(server, ['list'], 5)).stderr).toContain('does not answer as Cannery does');
  });

  test('a line comes once, also from a server that begins again after each cut', async () => {
    let streams = 0;
    const forgetful = await serve((_request, response) => {
      streams += 1;
      const event = (first: number, ...texts: string[]): string => {
        const data = { first, text: texts.join('\n'), at: null, after: texts.map(() => 0), phase: null };
        return `id: ${first + texts.length - 1}\nevent: lines\ndata: ${JSON.stringify(data)}\n\n`;
      };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event(1, 'one', 'two'));
      if (streams > 1)
        response.end(`${event(2, 'two', 'three')}event: end\ndata: {"status":"COMPLETED"}\n\n`);
      else setTimeout(() => response.destroy(), 100);
    });
    const { stdout } = await runCli(forgetful, ['logs', NOBODY, NOBODY, '--follow'], 0);
    expect(stdout).toBe('one\ntwo\nthree\n');
    expect(streams).toBe(2);
  });

  test('the end of a run says what it leaves out, on one line', async () => {
    const left = { of: 3, canisters: [{ name: 'back\x1b[2Kend', type: 'Rust', needed_by: null }] };
    const partly = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`event: end\ndata: ${JSON.stringify({ status: 'COMPLETED', left_out: left })}\n\n`);
    });
    const { stderr } = await runCli(partly, ['logs', NOBODY, NOBODY, '--follow'], 0);
    expect(stderr).toMatch(/COMPLETED, live, 1 of 3 canisters not deployed: back.{0,5}end \(Rust\)\n$/);
    expect(stderr).not.toContain('\x1b');
    const { stdout } = await runCli(partly, ['logs', NOBODY, NOBODY, '--follow', '--json'], 0);
    expect(JSON.parse(stdout)).toEqual({
      deploy_id: NOBODY,
      run_id: NOBODY,
      status: 'COMPLETED',
      left_out: left,
    });
  });

  test('it waits for as long as Retry-After says', async () => {
    let calls = 0;
    const busy = await serve((_request, response) => {
      calls += 1;
      if (calls > 1) return response.end('[]');
      return response.writeHead(429, { 'retry-after': '2' }).end(
        JSON.stringify({
          error: 'Too many',
          message: 'Too many',
          code: 'rate_limited',
          next_step: 'Wait.',
        }),
      );
    });
    const beganAt = Date.now();
    await runCli(busy, ['list', '--retry-for', '0'], 0);
    expect(Date.now() - beganAt).toBeGreaterThan(1_990);
  });
});
