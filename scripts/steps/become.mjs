import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fail, root } from './project.mjs';

/** How often it is looked whether the caller is still there, in ms. */
const CALLER_POLL_MS = 250;

/** Who started us: the parent and, since npm puts a shell in between, its parent. Changes when one of them dies. */
function callerChain() {
  if (process.env.npm_lifecycle_event === undefined) return `${process.ppid}`;
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    return `${process.ppid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`;
  } catch {
    return `${process.ppid}`;
  }
}

/**
 * Hands the terminal to a long-running program and ends with it; it never outlives us or our caller.
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {readonly string[]} args of Node
 */
export function become({ node, env }, args) {
  const child = spawn(node, args, { cwd: root, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  const callers = callerChain();
  setInterval(() => {
    if (callerChain() !== callers) child.kill('SIGTERM');
  }, CALLER_POLL_MS).unref();
  child.on('error', (error) => fail(`${node} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
