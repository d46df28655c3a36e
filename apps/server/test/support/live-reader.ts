import { liveChangedEvent, type LiveSubject, readEvents } from '@cannery/contract';

/** What a live stream has brought so far. */
export interface LiveStream {
  readonly status: number;
  /** Every subject in order, each with the time of its arrival in milliseconds since 1970. */
  readonly news: (LiveSubject & { readonly arrivedAt: number })[];
  signedOutAt: number | undefined;
  /** Settles when the stream is over, however it ended. */
  readonly over: Promise<void>;
  close(): void;
}

/** Reads the news of the user of a bearer token. */
export async function readLive(url: string, token: string): Promise<LiveStream> {
  const cut = new AbortController();
  const response = await fetch(`${url}/api/live`, {
    headers: { authorization: `Bearer ${token}` },
    signal: cut.signal,
  });
  const news: LiveStream['news'] = [];
  const read = async (): Promise<void> => {
    if (response.body === null || !response.ok) return;
    for await (const { type, data } of readEvents(response.body)) {
      const arrivedAt = Date.now();
      if (type === 'signed_out') live.signedOutAt = arrivedAt;
      if (type !== 'changed') continue;
      const subjects = liveChangedEvent.parse(JSON.parse(data));
      news.push(...subjects.map((subject) => ({ ...subject, arrivedAt })));
    }
  };
  const live: LiveStream = {
    status: response.status,
    news,
    signedOutAt: undefined,
    over: Promise.resolve()
      .then(read)
      .catch(() => undefined),
    close: () => cut.abort(),
  };
  return live;
}
