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
  let text = '';
  let id: string | undefined;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      if (text.length > MOST) throw new BrokenStreamError('An event is too long.');
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block, id);
        id = event.id;
        if (event.data !== '') yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventOf(block: string, lastId: string | undefined): ServerEvent {
  let type = 'message';
  let id = lastId;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    if (name === 'event') type = value;
    else if (name === 'id') id = value;
    else if (name === 'data') data.push(value);
  }
  return { type, data: data.join('\n'), id };
}
