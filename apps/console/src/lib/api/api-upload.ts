/** Called with the bytes that have left the browser and the bytes of the whole body. */
export type UploadProgress = (sent: number, total: number) => void;

/** What of an answer the API client reads. */
interface SentAnswer {
  readonly ok: boolean;
  readonly status: number;
  text(): Promise<string>;
}

/**
 * Sends a request like `fetch`, telling its progress on the way.
 * @throws the signal's reason when aborted, TypeError when no answer came
 */
export function sendWithProgress(
  address: string,
  init: RequestInit,
  onProgress: UploadProgress,
): Promise<SentAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<SentAnswer>();
  const { signal } = init;
  if (signal?.aborted) return Promise.reject(signal.reason);
  const request = new XMLHttpRequest();
  const abort = (): void => request.abort();
  request.open(init.method ?? 'GET', address);
  for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
  request.addEventListener('load', () => {
    const { status, responseText } = request;
    resolve({ ok: status >= 200 && status < 300, status, text: () => Promise.resolve(responseText) });
  });
  request.addEventListener('error', () => reject(new TypeError('The connection broke.')));
  request.addEventListener('abort', () => reject(signal?.reason));
  request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
  signal?.addEventListener('abort', abort);
  request.send(init.body as XMLHttpRequestBodyInit);
  return promise;
}
