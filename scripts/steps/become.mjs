import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fail, root } from './project.mjs';

/** How often it is looked whether the caller is still there, in ms. */
const CALLER_POLL_MS = 250;
/** The exit code of a program that says what is wrong with its settings (EX_CONFIG of sysexits.h). */
const CONFIGURATION = 78;

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
 * Hears of each signal to end, and of the end of our caller.
 * @param {(signal: NodeJS.Signals) => void} onEnd
 */
export function whenToEnd(onEnd) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => onEnd(signal));
  const callers = callerChain();
  setInterval(() => {
    if (callerChain() !== callers) onEnd('SIGTERM');
  }, CALLER_POLL_MS).unref();
}

/**
 * Starts a program that has our terminal, and learns of our end by a channel.
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {readonly string[]} args of Node
 */
export function startHere({ node, env, cwd = root }, args) {
  const child = spawn(node, args, { cwd, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  child.on('error', (error) => fail(`${node} could not be started: ${error.message}`));
  return child;
}

/**
 * Hands the terminal to a long-running program and ends with it; it never outlives us or our caller.
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {readonly string[]} args of Node
 */
export function become(toolchain, args) {
  const child = startHere(toolchain, args);
  whenToEnd((signal) => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(exitCodeOf(code, signal)));
}

/**
 * The code to end with. For npm a mistake in the settings is a failure like another; a manager of services tells it from one that a start
 * again may mend (`RestartPreventExitStatus` of deploy/systemd).
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
export function exitCodeOf(code, signal) {
  if (code === CONFIGURATION && process.env.npm_lifecycle_event !== undefined) return 1;
  return code ?? (signal ? 1 : 0);
}
