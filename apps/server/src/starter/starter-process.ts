// Starts programs for the server. To start one, a process is copied with its tables of memory, which keeps the server's
// thread for as long as the server is large; this process is small. A program reads and writes one socket that leads to
// the server, so its bytes do not pass here.
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { stepBack } from '../fairness/step-back.ts';
import { killGroup } from './kill-group.ts';
import type { StarterReport, StarterRequest } from './messages.ts';

const [socketPath = ''] = process.argv.slice(2);
const running = new Map<string, ChildProcess>();

function report(message: StarterReport): void {
  process.send?.(message);
}

function start({ id, file, args, env }: StarterRequest & { kind: 'start' }, socket: Socket): void {
  const child = spawn(file, [...args], {
    env,
    stdio: [socket, socket, 'ignore'],
    // A separate group: git starts others, and they end with it.
    detached: true,
  });
  // The program has it now; with this end open too, the server would wait for its end for ever.
  socket.destroy();
  running.set(id, child);
  child.once('spawn', () => report({ kind: 'started', id }));
  child.once('error', (error) => {
    running.delete(id);
    report({ kind: 'failed', id, message: error.message });
  });
  child.once('exit', (code) => {
    running.delete(id);
    report({ kind: 'ended', id, code });
  });
}

process.on('message', (request: StarterRequest) => {
  if (request.kind === 'kill') {
    const child = running.get(request.id);
    if (child !== undefined) killGroup(child);
    return;
  }
  const socket = connect({ path: socketPath, allowHalfOpen: true });
  const failed = (error: Error): void => report({ kind: 'failed', id: request.id, message: error.message });
  socket.once('error', failed);
  socket.write(`${request.id}\n`, (error) => {
    if (error) return;
    socket.off('error', failed);
    start(request, socket);
  });
});
process.on('disconnect', () => {
  for (const child of running.values()) killGroup(child);
  rmSync(dirname(socketPath), { recursive: true, force: true });
  process.exit(0);
});
// What is started here works for one tenant, and inherits this.
stepBack(process.pid);
