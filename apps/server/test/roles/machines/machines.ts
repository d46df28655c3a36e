import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A computer of the set-up: a network namespace on a bridge. */
export interface Machine {
  readonly address: string;
  /** What comes before a command that is to run there. */
  readonly enter: readonly string[];
  /** Pulls its cable, or puts it in again. */
  setLink(state: 'up' | 'down'): void;
}

const ip = (...args: string[]): void => void execFileSync('ip', args);

const NET = '10.213.0';
const GATEWAY = `${NET}.254`;

/** Makes machines on one bridge of this network namespace; the function removes them. */
export function makeMachines(count: number): { machines: readonly Machine[]; remove: () => void } {
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'machines', 'type', 'bridge');
  ip('addr', 'add', `${GATEWAY}/24`, 'dev', 'machines');
  ip('link', 'set', 'machines', 'up');
  const names = Array.from({ length: count }, (_, index) => `cannery-${process.pid}-${index + 1}`);
  const machines = names.map((name, index): Machine => {
    const [address, line] = [`${NET}.${index + 1}`, `line${index + 1}`];
    ip('netns', 'add', name);
    ip('link', 'add', line, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('link', 'set', line, 'master', 'machines', 'up');
    ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    for (const device of ['eth0', 'lo']) ip('-n', name, 'link', 'set', device, 'up');
    return {
      address,
      enter: ['ip', 'netns', 'exec', name],
      setLink: (state) => ip('link', 'set', line, state),
    };
  });
  return {
    machines,
    remove: () => {
      for (const name of names) ip('netns', 'del', name);
    },
  };
}

/** A program on a machine; resolves when it has printed `ready`, or at once where it prints nothing. */
export async function startThere(
  machine: Machine,
  command: readonly string[],
  options: { env?: Readonly<Record<string, string>>; isQuiet?: boolean } = {},
): Promise<ChildProcess> {
  const [file = '', ...args] = [...machine.enter, 'setpriv', '--pdeathsig', 'TERM', ...command];
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...options.env },
  });
  if (options.isQuiet) return child;
  const ready = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (line) => line === 'ready' && ready.resolve());
  child.once('exit', () => ready.reject(new Error(`${command.join(' ')} has ended`)));
  await ready.promise;
  return child;
}

export async function stopThere(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
