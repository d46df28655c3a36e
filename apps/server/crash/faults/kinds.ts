import { execFileSync } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Fault } from '../../test/service/s3-service.ts';
import type { Scene } from './scene.ts';

/** Something that goes wrong for a while, and is well again when the promise resolves. */
interface Fault {
  readonly name: string;
  run(scene: Scene, random: () => number): Promise<void>;
}

/** Longer than a silent connection is believed in. */
const HUSH_MS = 20_000;

const postgres: readonly Fault[] = [
  {
    name: 'connections cut, none taken for 2 s',
    run: async ({ databaseLine }) => {
      databaseLine.cut(2_000);
      await sleep(2_000);
    },
  },
  {
    name: 'answer to a COMMIT lost',
    run: async ({ databaseLine }) => {
      const before = databaseLine.lost();
      databaseLine.loseAnswerTo('commit');
      for (let waited = 0; databaseLine.lost() === before && waited < 5_000; waited += 20) await sleep(20);
    },
  },
  {
    name: 'answer to a payment lost (one statement)',
    run: async ({ databaseLine }) => {
      const before = databaseLine.lost();
      databaseLine.loseAnswerTo('insert into intents');
      for (let waited = 0; databaseLine.lost() === before && waited < 5_000; waited += 20) await sleep(20);
    },
  },
  {
    name: 'killed; another process takes over',
    run: async ({ postgres: server }) => {
      const pid = server.pid();
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      await sleep(3_000);
    },
  },
  {
    name: 'half closed',
    run: async ({ databaseLine }) => {
      databaseLine.halfClose();
      await sleep(1_000);
    },
  },
  {
    name: '300 ms slower for 4 s',
    run: async ({ databaseLine }) => {
      databaseLine.slowDown(300);
      await sleep(4_000);
      databaseLine.slowDown(0);
    },
  },
  {
    name: `host gone without a word for ${HUSH_MS / 1000} s`,
    run: async ({ databaseLine }) => {
      databaseLine.hush();
      await sleep(HUSH_MS);
      databaseLine.speak();
    },
  },
];

const s3Fault = (how: S3Fault, times: number): Fault => ({
  name: `${times} answers: ${how}`,
  run: async ({ s3 }) => {
    s3.failNext(times, how);
    await sleep(3_000);
    s3.failNext(0);
  },
});

const s3: readonly Fault[] = [
  s3Fault('error', 12),
  s3Fault('forbidden', 6),
  s3Fault('page', 6),
  s3Fault('silent', 2),
  s3Fault('short', 6),
  s3Fault('wrong', 3),
  s3Fault('stalled', 2),
  {
    name: 'gone for 3 s',
    run: async ({ s3: service }) => {
      await service.stop();
      await sleep(3_000);
      await service.start();
    },
  },
];

const cutAt = (moment: 'before' | 'after'): Fault => ({
  name: `connection cut ${moment} the network has a call`,
  run: async ({ networkLine }) => {
    const cut = Promise.withResolvers<void>();
    networkLine.cutAt(moment, () => {
      networkLine.heal();
      cut.resolve();
    });
    await Promise.race([cut.promise, sleep(5_000)]);
    networkLine.heal();
  },
});

const network: readonly Fault[] = [
  cutAt('before'),
  cutAt('after'),
  {
    name: 'no call answered for 5 s',
    run: async ({ networkLine }) => {
      networkLine.silence();
      await sleep(5_000);
      networkLine.heal();
    },
  },
  {
    name: 'killed, back after 3 s',
    run: async (scene) => {
      await scene.killNetwork();
      await sleep(3_000);
      await scene.startNetwork();
    },
  },
];

const clock: readonly Fault[] = [2, -2, 25, -25, 0.02, -0.02].map((hours) => ({
  name: `clock ${hours > 0 ? '+' : ''}${hours} h for 6 s, then back`,
  run: async (scene: Scene) => {
    await scene.setClock(hours);
    await sleep(6_000);
    await scene.setClock(0);
    await sleep(1_000);
  },
}));

const failing = (code: string): Fault => ({
  name: `${code} at the n-th write, twice`,
  run: async (scene, random) => {
    await scene.failWrites({ code, after: Math.floor(random() * 25), times: 2 });
    await sleep(2_500);
    await scene.failWrites({ code, after: 0, times: 0 });
  },
});

const disk: readonly Fault[] = [
  failing('ENOSPC'),
  failing('EIO'),
  {
    name: 'EMFILE: as many descriptors as are open, for 2 s',
    run: async ({ product }) => {
      const pid = String(product.child.pid);
      const limit = /Max open files\s+(\d+)\s+(\d+)/.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'));
      execFileSync('prlimit', ['--pid', pid, '--nofile=24:']);
      await sleep(2_000);
      execFileSync('prlimit', ['--pid', pid, `--nofile=${limit?.[1] ?? '1024'}:`]);
    },
  },
  {
    name: 'the disk of everything full for 3 s',
    run: async ({ folder, isMounted }) => {
      if (!isMounted) return;
      const { bavail, bsize } = await statfs(folder);
      const filler = join(folder, 'filler');
      await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - 4096))).catch(() => undefined);
      await sleep(3_000);
      await rm(filler, { force: true });
    },
  },
];

/** What can go wrong, by what it happens to. */
export const kinds: Readonly<Record<string, readonly Fault[]>> = { disk, postgres, s3, network, clock };
