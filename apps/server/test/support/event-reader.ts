import type { Api, Product } from '@cannery/dev-env';
import { type LogEndEvent, logEndEvent, type LogLinesEvent, logLinesEvent } from '@cannery/contract';

/** A line of a log as a stream brought it. */
export interface StreamedLine {
  readonly number: number;
  readonly text: string;
  /** When it was printed, and when it arrived here, in milliseconds since 1970. */
  readonly printedAt: number | null;
  readonly arrivedAt: number;
  readonly phase: string | null;
}

/** What a stream has brought so far. */
export interface StreamedLog {
  readonly status: number;
  readonly type: string | null;
  readonly lines: StreamedLine[];
  /** Id of the last event. */
  lastId: string | undefined;
  end: LogEndEvent | undefined;
  /** Settles when the stream is over, however it ended. */
  readonly over: Promise<void>;
  close(): void;
}

/** Reads the log of a run as a stream. @param after the last line that is known, as the stream calls it */
export async function readStream(
  product: Product,
  { token }: Pick<Api, 'token'>,
  run: { id: string; instanceId: string },
  after?: string,
): Promise<StreamedLog> {
  const cut = new AbortController();
  const response = await fetch(`${product.url}/api/deploy/${run.id}/instances/${run.instanceId}/log`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(after === undefined ? {} : { 'last-event-id': after }),
    },
    signal: cut.signal,
  });
  const lines: StreamedLine[] = [];
  const read = async (): Promise<void> => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) take(event);
    }
  };
  const take = (event: string): void => {
    const fields = new Map(event.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
    const data: unknown = JSON.parse(fields.get('data') ?? 'null');
    if (fields.get('event') === 'end') log.end = logEndEvent.strict().parse(data);
    if (fields.get('event') !== 'lines') return;
    log.lastId = fields.get('id');
    lines.push(...linesOf(logLinesEvent.strict().parse(data)));
  };
  const log: StreamedLog = {
    status: response.status,
    type: response.headers.get('content-type'),
    lines,
    lastId: undefined,
    end: undefined,
    over: Promise.resolve()
      .then(read)
      .catch(() => undefined),
    close: () => cut.abort(),
  };
  return log;
}

function linesOf({ first, text, at, after, phase }: LogLinesEvent): StreamedLine[] {
  const arrivedAt = Date.now();
  return text.split('\n').map((line, place) => ({
    number: first + place,
    text: line,
    printedAt: at === null ? null : at + (after[place] ?? 0),
    arrivedAt,
    phase,
  }));
}
