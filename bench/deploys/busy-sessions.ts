import { spawn } from 'node:child_process';

/** Programs that never wait, each in a separate session as programs of other users are, until they are disposed of. */
export function startBusySessions(count: number): Disposable {
  // However this process ends, they end as well.
  const loop = `while (process.ppid === ${process.pid});`;
  const started = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--eval', loop], { detached: true, stdio: 'ignore' }),
  );
  return {
    [Symbol.dispose]() {
      for (const one of started) one.kill('SIGKILL');
    },
  };
}
