import type { Readable } from 'node:stream';
import { AppError } from '../../errors.ts';

/** What a push asks for: the head of its body, which git reads before the pack. */
export interface PushCommands {
  /** Refs that are to be there afterwards. */
  readonly written: readonly string[];
  /** The objects that they are to name, by ref. */
  readonly targets: ReadonlyMap<string, string>;
  readonly deleted: readonly string[];
  /** Whether the client takes messages beside the report. */
  readonly sideBand: boolean;
}

/** How long the commands of a push may take to come, in milliseconds: other pushes of the user wait meanwhile. */
const COMMANDS_MS = 60_000;
/** Bytes of the commands of one push; some thousand refs. */
export const COMMANDS_LIMIT = 1024 * 1024;
const LENGTH_DIGITS = 4;
const COMMAND = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) (refs\/[^\0\n]{1,300})$/;
const SHALLOW = /^shallow [0-9a-f]{40,64}$/;

/**
 * Reads the commands of a push and puts every byte back into the stream, for git. A client that does not send them in time
 * loses its connection.
 * @throws AppError invalid_input for what is no push, payload_too_large for more commands than one push may have
 */
export async function readCommands(body: Readable, patienceMs = COMMANDS_MS): Promise<PushCommands> {
  const timer = setTimeout(() => body.destroy(), patienceMs);
  return commandsIn(body).finally(() => clearTimeout(timer));
}

async function commandsIn(body: Readable): Promise<PushCommands> {
  const chunks: Buffer[] = [];
  const lines: string[] = [];
  let size = 0;
  let open = Buffer.alloc(0);
  for (;;) {
    const chunk = await nextChunk(body);
    if (chunk === null) throw notAPush();
    chunks.push(chunk);
    size += chunk.length;
    open = Buffer.concat([open, chunk]);
    const { rest, ended } = takeLines(open, lines);
    if (ended) {
      body.unshift(Buffer.concat(chunks));
      return commandsOf(lines);
    }
    if (size > COMMANDS_LIMIT) {
      throw new AppError(
        'payload_too_large',
        'This push changes too many branches and tags at once. Push fewer of them at a time.',
      );
    }
    open = rest;
  }
}

/** The next bytes of a stream that stays open; null at its end. */
async function nextChunk(body: Readable): Promise<Buffer | null> {
  for (;;) {
    const chunk = body.read() as Buffer | null;
    if (chunk !== null) return chunk;
    if (body.readableEnded || body.destroyed) return null;
    const events = ['readable', 'end', 'close', 'error'];
    await new Promise<void>((resolve) => {
      const stop = (): void => {
        for (const event of events) body.off(event, stop);
        resolve();
      };
      for (const event of events) body.on(event, stop);
    });
  }
}

/** Takes whole packets off the beginning of bytes, up to the first empty one. */
function takeLines(bytes: Buffer, lines: string[]): { rest: Buffer<ArrayBuffer>; ended: boolean } {
  let at = 0;
  while (at + LENGTH_DIGITS <= bytes.length) {
    const digits = bytes.toString('latin1', at, at + LENGTH_DIGITS);
    if (!/^[0-9a-f]{4}$/i.test(digits)) throw notAPush();
    const length = Number.parseInt(digits, 16);
    if (length === 0) return { rest: Buffer.alloc(0), ended: true };
    if (length < LENGTH_DIGITS) throw notAPush();
    if (at + length > bytes.length) break;
    lines.push(bytes.toString('utf8', at + LENGTH_DIGITS, at + length).replace(/\n$/, ''));
    at += length;
  }
  return { rest: Buffer.from(bytes.subarray(at)), ended: false };
}

function commandsOf(lines: readonly string[]): PushCommands {
  const targets = new Map<string, string>();
  const deleted: string[] = [];
  let abilities = '';
  for (const line of lines) {
    const end = line.indexOf('\0');
    if (end >= 0) abilities = line.slice(end + 1);
    const text = end < 0 ? line : line.slice(0, end);
    const [, target, ref] = COMMAND.exec(text) ?? [];
    if (target === undefined || ref === undefined) {
      // Anything else, such as commands inside a signature, would be read by git and not by us.
      if (!SHALLOW.test(text)) throw notAPush();
    } else if (/^0+$/.test(target)) deleted.push(ref);
    else targets.set(ref, target);
  }
  return {
    written: [...targets.keys()],
    targets,
    deleted,
    sideBand: abilities.split(' ').includes('side-band-64k'),
  };
}

function notAPush(): AppError {
  return new AppError('invalid_input', 'This is not a push as git sends it.');
}

function packet(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from((bytes.length + LENGTH_DIGITS).toString(16).padStart(4, '0')), bytes]);
}

/** Lines that git shows to the one who pushes. */
export function messageOf(lines: readonly string[]): Buffer {
  return Buffer.concat(lines.map((line) => packet(`\u0002${line}\n`)));
}

/** Most refs that a refusal names: its report is one packet of at most 64 KiB. */
const NAMED_REFS = 100;

/** The answer by which git shows a refusal: a message, and a report that no ref was written. */
export function refusalOf(commands: PushCommands, reason: string): Buffer {
  const refs = [...commands.written, ...commands.deleted].slice(0, NAMED_REFS);
  const report = Buffer.concat([
    packet('unpack refused\n'),
    ...refs.map((ref) => packet(`ng ${ref} refused\n`)),
    Buffer.from('0000'),
  ]);
  if (!commands.sideBand) return report;
  return Buffer.concat([
    packet(`\u0002${reason}\n`),
    packet(Buffer.concat([Buffer.from([1]), report])),
    Buffer.from('0000'),
  ]);
}
