// Runs inside the sandbox, in a network with nothing but a loopback: brings the socket of the way out to a port there,
// for programs that know proxies by address only, and runs the step's command.
//
//   node bridge.mjs SOCKET PORT COMMAND...
//
// What the command does to this process it does to its own way out. Plain JavaScript: it starts before every step that
// has a way out, and stripping types would double what that takes.
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';

const [socket = '', port = '', file = '', ...args] = process.argv.slice(2);

/** Exit codes of shells: for a program that is not there, and on top of a signal's number. */
const NOT_FOUND = 127;
const BY_SIGNAL = 128;

/** @type {(from: import('node:net').Socket, to: import('node:net').Socket) => void} */
function pass(from, to) {
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroy());
  from.pipe(to);
}

const bridge = createServer({ allowHalfOpen: true }, (inside) => {
  const outside = connect({ path: socket, allowHalfOpen: true });
  pass(inside, outside);
  pass(outside, inside);
});
bridge.on('error', (error) => {
  process.stderr.write(`The connection to the network could not be opened: ${error.message}\n`);
  process.exit(1);
});
bridge.listen(Number(port), '127.0.0.1', () => {
  const command = spawn(file, args, { stdio: 'inherit' });
  command.on('error', (error) => {
    process.stderr.write(`${file} could not be started: ${error.message}\n`);
    process.exit(NOT_FOUND);
  });
  command.on('exit', (code, signal) =>
    process.exit(code ?? BY_SIGNAL + (signal === null ? 0 : constants.signals[signal])),
  );
});
