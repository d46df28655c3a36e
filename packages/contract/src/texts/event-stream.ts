/** One server-sent event (HTML standard, 9.2). */
export interface ServerEvent {
  readonly type: string;
  readonly data: string;
  /** The id of this event or, where it has none, of the last one that had one; undefined before the first. */
  readonly id: string | undefined;
}

/** Characters of one event; a stream that sends more at once is none of ours. */
const MOST = 16 * 1024 * 1024;

/** The stream sends what is no stream of events. */
export class BrokenStreamError extends Error {
  override readonly name = 'BrokenStreamError';
}

/**
 * Reads events out of the body of an answer. `EventSource` cannot send the bearer token.
 * @throws BrokenStreamError for an event that is too long, and what reading the body throws
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  const lines = new LineGatherer();
  let block: string[] = [];
  let id: string | undefined;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const line of lines.add(value)) {
        if (line !== '') {
          block.push(line);
          continue;
        }
        const event = eventOf(block, id);
        block = [];
        lines.forget();
        id = event.id;
        if (event.data !== '') yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Makes lines of pieces. Each character is looked at once, however small the pieces are. */
class LineGatherer {
  #pieces: string[] = [];
  #kept = 0;

  /** The lines that a piece ends. @throws BrokenStreamError when there is too much since the last `forget` */
  *add(piece: string): Generator<string> {
    this.#kept += piece.length;
    if (this.#kept > MOST) throw new BrokenStreamError('An event is too long.');
    const [first = '', ...others] = piece.split('\n');
    this.#pieces.push(first);
    for (const next of others) {
      const line = this.#pieces.join('');
      this.#pieces = [next];
      yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
  }

  /** What came before belongs to an event that is complete. */
  forget(): void {
    this.#kept = 0;
  }
}

function eventOf(lines: readonly string[], lastId: string | undefined): ServerEvent {
  let type = 'message';
  let id = lastId;
  const data: string[] = [];
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    if (name === 'event') type = value;
    else if (name === 'id') id = value;
    else if (name === 'data') data.push(value);
  }
  return { type, data: data.join('\n'), id };
}
