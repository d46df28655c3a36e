import { Transform, type TransformCallback } from 'node:stream';
import { messageOf } from './push-commands.ts';

/** Bands of packets (gitprotocol-pack): a report of what became of each ref, and what the client shows as 'remote: ...'. */
const REPORT = 1;
const SHOWN = 2;

/** What git says in the language that it runs with here, and what that means. */
const WORDS = [
  {
    band: SHOWN,
    said: /No space left on device|Disk quota exceeded|File too large/,
    means: 'The disk of the server is full. Nothing was saved.',
  },
  {
    band: REPORT,
    said: /ng \S+ shallow update not allowed/,
    means:
      'Your clone is shallow, and this host keeps whole histories. Fetch the whole history first: ' +
      'git fetch --unshallow. Then push again.',
  },
] as const;
const LENGTH_DIGITS = 4;
const HEAD = /^[\da-f]{4}$/i;
/** Longest packet of the protocol, in bytes. */
const PACKET_BYTES = 65_520;

/**
 * Passes git's answer to a push on, packet by packet, and says in plain words what a full disk or a shallow clone means before git
 * does. It keeps one packet at most; what is no packet passes as it is.
 */
export class PlainWords extends Transform {
  #kept: Buffer = Buffer.alloc(0);
  #passes = false;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#passes) {
      done(null, chunk);
      return;
    }
    let rest = Buffer.concat([this.#kept, chunk]);
    for (let length = lengthOf(rest); !this.#passes && rest.length >= length; length = lengthOf(rest)) {
      this.#look(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    if (this.#passes) this.push(rest);
    this.#kept = this.#passes ? Buffer.alloc(0) : rest;
    done();
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#kept);
  }

  #look(packet: Buffer): void {
    // What is no packet, nor anything behind it, is looked at.
    if (!HEAD.test(packet.toString('latin1', 0, LENGTH_DIGITS))) this.#passes = true;
    const words = WORDS.find(
      ({ band, said }) => packet[LENGTH_DIGITS] === band && said.test(packet.toString('latin1')),
    );
    if (words !== undefined) {
      this.push(messageOf([words.means]));
      this.#passes = true;
    }
    this.push(packet);
  }
}

/** Bytes of the packet that a text begins with, or of what has to be there to tell. */
function lengthOf(bytes: Buffer): number {
  const digits = bytes.toString('latin1', 0, LENGTH_DIGITS);
  const length = HEAD.test(digits) ? Number.parseInt(digits, 16) : 0;
  // 0000 to 0003 are signs without content.
  return length > LENGTH_DIGITS && length <= PACKET_BYTES ? length : LENGTH_DIGITS;
}
