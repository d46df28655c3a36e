import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

/** What a server does under load. */
export interface Pressure {
  readonly perSecond: number;
  /** 99th percentile of the time to an answer, in milliseconds. */
  readonly p99Millis: number;
}

export interface PressureOptions {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly headers: Readonly<Record<string, string>>;
}

const run = promisify(execFile);

/** Whether `wrk` is there: it takes a tenth of what it measures, while a client in JavaScript is slower than the servers. */
export const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

/** Asks over kept-alive connections as fast as answers come; throws where one is an error. */
export function pressure(options: PressureOptions): Promise<Pressure> {
  return hasWrk ? byWrk(options) : byAutocannon(options);
}

async function byWrk({ url, connections, seconds, headers }: PressureOptions): Promise<Pressure> {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...named, url];
  const { stdout } = await run('wrk', args);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? [];
  const [, p99, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  const millis = { us: 0.001, ms: 1, s: 1_000 }[unit ?? ''];
  if (perSecond === undefined || p99 === undefined || millis === undefined) throw new Error(stdout);
  return { perSecond: Number(perSecond), p99Millis: Number(p99) * millis };
}

async function byAutocannon({ url, connections, seconds, headers }: PressureOptions): Promise<Pressure> {
  const result = await autocannon({ url, connections, duration: seconds, headers: { ...headers } });
  if (result.errors > 0 || result['4xx'] + result['5xx'] > 0) throw new Error(`${url}: errors under load`);
  // It counts whole milliseconds: 0 is anything below one.
  return { perSecond: result.requests.total / result.duration, p99Millis: Math.max(1, result.latency.p99) };
}
