import { Transform, type TransformCallback } from 'node:stream';
import { messageOf } from './push-commands.ts';

/** How git ends an answer that has messages beside the report (gitprotocol-pack): a flush packet. */
const END = Buffer.from('0000');

/**
 * Passes git's answer to a push on but for its end, which waits until it is known what the push has started: `lines`, which
 * the client shows behind what git says. An answer that ends in any other way, as of a git that was killed, gets none.
 */
export class LastWords extends Transform {
  /** To be set before the stream is ended. */
  lines: readonly string[] = [];
  #kept: Buffer = Buffer.alloc(0);

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const all = Buffer.concat([this.#kept, chunk]);
    const end = Math.max(0, all.length - END.length);
    if (end > 0) this.push(all.subarray(0, end));
    this.#kept = all.subarray(end);
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.lines.length > 0 && this.#kept.equals(END)) this.push(messageOf(this.lines));
    done(null, this.#kept);
  }
}
