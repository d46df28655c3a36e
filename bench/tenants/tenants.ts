import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Api, createApi, type Product, signIn, startProduct } from '@cannery/dev-env';
import { quantile, ratios, type Section } from '../figures.ts';
import { onCore, SERVER_CORE } from '../pinned.ts';

/** Calls of one sample, of each kind. */
const CALLS = 100;
/** Between two calls, in milliseconds: less than RATE_LIMIT in a second, as a console does. */
const PAUSE_MS = 20;
/** Between two samples, so that what the hostile tenant has lined up is under way, or done, in milliseconds. */
const SETTLE_MS = 2_000;
const ROUNDS = 5;
const PATHS = ['/user/profile', '/canister/list/', '/deploy', '/deploy/repos'];

/** One tenant does what it can, at full rate; how long does another one wait? */
export const tenants: Section = {
  title: 'Two tenants',
  async run(report) {
    const product = await startProduct({ command: (program, args) => onCore(SERVER_CORE, program, args) });
    let hostile: ChildProcess | undefined;
    try {
      const ada = createApi(product.url, await signIn(product.url, 'ada'));
      await ada.call('POST', '/repository/templates/static-site', {});
      hostile = await startHostile(product);
      const { ratio, control, ours, floor } = await ratios(
        () => whileHostile(hostile, () => p99(ada)),
        () => p99(ada),
        ROUNDS,
      );
      const calls = `API calls of one tenant, p99, while another is hostile`;
      report({
        what: calls,
        unit: 'x',
        spread: ratio,
        goal: { atMost: 2 },
        control,
        note: `${floor.median.toFixed(1)} ms idle, ${ours.median.toFixed(1)} ms beside it`,
      });
    } finally {
      hostile?.kill('SIGKILL');
      await product.dispose();
    }
  },
};

async function p99(api: Api): Promise<number> {
  await delay(SETTLE_MS);
  const samples: number[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    for (const path of PATHS) {
      const start = performance.now();
      await api.call('GET', path);
      samples.push(performance.now() - start);
      await delay(PAUSE_MS);
    }
  }
  return quantile(samples, 0.99);
}

/** The hostile tenant is a process that gives way to this one, so that only the server is measured. */
async function startHostile(product: Product): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('./hostile.ts', import.meta.url)), [product.url]);
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  await once(child, 'message');
  return child;
}

async function whileHostile<T>(hostile: ChildProcess | undefined, measure: () => Promise<T>): Promise<T> {
  hostile?.send('start');
  try {
    return await measure();
  } finally {
    hostile?.send('stop');
    if (hostile !== undefined) await once(hostile, 'message');
  }
}
