// Starts programs for the server. To start one, a process is copied with its tables of memory, which keeps the server's
// thread for as long as the server is large; this process is small. A program reads and writes sockets that lead to
// the server, so its bytes do not pass here.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { endWithParent } from '@cannery/network/end-with-parent';
import { joinProgramsGroup } from '../fairness/processor-group.ts';
import { stepBack, stepBackAsSession } from '../fairness/step-back.ts';
import { groupCommands, killGroup, killTree } from './process-group.ts';
import type { StarterReport, StarterRequest, StartRequest } from './messages.ts';

const [socketPath = '', priority = 'low'] = process.argv.slice(2);
const running = new Map<string, ChildProcess>();
const groupCommand = groupCommands(process.env.PATH ?? '');

function report(message: StarterReport): void {
  process.send?.(message);
}

/** Opens the connection to the server that has a name. */
async function open(name: string): Promise<Socket> {
  const socket = connect({ path: socketPath, allowHalfOpen: true });
  await once(socket, 'connect');
  await new Promise<void>((resolve, reject) => {
    socket.write(`${name}\n`, (error) => (error ? reject(error) : resolve()));
  });
  return socket;
}

async function start({
  id,
  inputId,
  errorsId,
  file,
  args,
  env,
  cwd,
  memoryBytes,
}: StartRequest): Promise<void> {
  const command = groupCommand(file, args, env, memoryBytes);
  const connections = await Promise.all(
    [inputId, id, errorsId].map((name) => (name === undefined ? null : open(name))),
  );
  const child = spawn(command.file, [...command.args], {
    env,
    cwd,
    stdio: connections.map((socket) => socket ?? 'ignore'),
    detached: command.detached,
  });
  // The program has them now; with these ends open too, the server would wait for its end for ever.
  for (const socket of connections) socket?.destroy();
  running.set(id, child);
  child.once('spawn', () => report({ kind: 'started', id, pid: child.pid ?? 0 }));
  child.once('error', (error) => {
    running.delete(id);
    report({ kind: 'failed', id, message: error.message });
  });
  child.once('exit', (code, signal) => {
    running.delete(id);
    // What it has left behind ends with it.
    killGroup(child);
    report({ kind: 'ended', id, code, signal });
  });
}

process.on('message', (request: StarterRequest) => {
  if (request.kind === 'kill') {
    const child = running.get(request.id);
    if (child !== undefined) killTree(child);
    return;
  }
  start(request).catch((error: unknown) => {
    report({
      kind: 'failed',
      id: request.id,
      message: error instanceof Error ? error.message : String(error),
    });
  });
});
process.on('disconnect', () => {
  for (const child of running.values()) killTree(child);
  rmSync(dirname(socketPath), { recursive: true, force: true });
  process.exit(0);
});
endWithParent();
// What is started here works for one tenant, and inherits this.
if (priority === 'low') {
  stepBack();
  await stepBackAsSession();
  await joinProgramsGroup();
}
