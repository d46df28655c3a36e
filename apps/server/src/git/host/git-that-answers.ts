import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, textOf } from '../../errors.ts';
import type { Logger } from '../../log/logger.ts';
import type { Program } from '../../starter/start-program.ts';

const HEADER_LIMIT = 64 * 1024;
/** Characters of what git said that are kept. */
const ERRORS_LIMIT = 500;
/** Pauses before the second, third … start of a git that has ended without a word, in milliseconds. */
const PAUSES_MS: readonly number[] = [100, 500, 2_000];
/** How long a git may take to end that has closed its output, in milliseconds. */
const ENDING_MS = 1_000;
/** Seconds after which it is worth while to ask again. */
const AGAIN_S = 5;

/** Git did not begin to answer, however often it was started; nothing of the request has reached it. */
export class GitUnansweredError extends AppError {
  constructor() {
    super('repository_busy', 'This server cannot run git at the moment. Nothing was changed.', {
      retryAfterSeconds: AGAIN_S,
    });
  }
}

/** A git that has begun to answer. */
interface AnsweringGit {
  readonly git: Program;
  readonly headers: Map<string, string>;
}

/**
 * A `git http-backend` that has begun to answer. It does so before it reads what was sent, so one that ends without a word, such as where the
 * machine has no process left for it or it was killed, is started again.
 * @param request.connection of whoever waits; when it closes, git is ended
 * @throws GitUnansweredError
 */
export async function gitThatAnswers(
  start: () => Promise<Program>,
  { connection, log }: { readonly connection: Socket; readonly log: Pick<Logger, 'warn'> },
): Promise<AnsweringGit> {
  for (let tries = 0; ; tries += 1) {
    const found = await tryOnce(start, connection);
    if (typeof found !== 'string') return found;
    // Nobody is told.
    if (connection.destroyed) throw new GitUnansweredError();
    log.warn({ how: found, tries: tries + 1 }, 'git http-backend ended without an answer');
    const pause = PAUSES_MS[tries];
    if (pause === undefined) throw new GitUnansweredError();
    await delay(pause);
  }
}

/** @returns a git that answers, or how it ended */
async function tryOnce(start: () => Promise<Program>, connection: Socket): Promise<AnsweringGit | string> {
  let git: Program;
  try {
    git = await start();
  } catch (error) {
    return textOf(error);
  }
  let said = '';
  git.errors?.on('data', (chunk: Buffer) => {
    if (said.length < ERRORS_LIMIT) said += chunk.toString('utf8').slice(0, ERRORS_LIMIT - said.length);
  });
  if (connection.destroyed) git.kill();
  connection.once('close', git.kill);
  try {
    const headers = await headersOf(git.output);
    if (headers !== null) return { git, headers };
  } catch (error) {
    git.kill();
    throw error;
  } finally {
    connection.off('close', git.kill);
  }
  // Its output ends before it does; how it ended is what the operator wants to know.
  const end = await Promise.race([git.ended, delay(ENDING_MS, null, { ref: false })]);
  git.kill();
  const { code, signal } = end ?? (await git.ended);
  return `${signal ?? (code === null ? 'lost' : `code ${code}`)}${said === '' ? '' : `, ${said.trim()}`}`;
}

/**
 * Reads the header block that a CGI program writes before its body; what follows stays in the stream.
 * @returns null where the stream ends before
 */
async function headersOf(stream: Readable): Promise<Map<string, string> | null> {
  let text = '';
  for (;;) {
    const chunk = stream.read() as Buffer | null;
    if (chunk === null) {
      if (stream.readableEnded || stream.destroyed) return null;
      await Promise.race([once(stream, 'readable'), once(stream, 'end'), once(stream, 'close')]);
      continue;
    }
    text += chunk.toString('latin1');
    const end = text.indexOf('\r\n\r\n');
    if (end >= 0) {
      const rest = text.slice(end + 4);
      if (rest !== '') stream.unshift(Buffer.from(rest, 'latin1'));
      const lines = text.slice(0, end).split('\r\n');
      return new Map(lines.map((line) => splitHeader(line)));
    }
    if (text.length > HEADER_LIMIT) throw new Error('git http-backend gave too long headers.');
  }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
