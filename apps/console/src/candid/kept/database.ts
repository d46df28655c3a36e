const NAME = 'cannery-candid';
const VERSION = 1;

/** The tables kept in this browser: the key this page may call with, and the calls made from it. */
export const KEYS = 'keys';
export const CALLS = 'calls';
/** Index of `calls`: the network and the canister that were called. */
export const BY_PLACE = 'by-place';

let opened: Promise<IDBDatabase> | undefined;

/**
 * Opens what this page keeps in the browser, once. Rejects with a DOMException when the browser keeps nothing, as in
 * some private windows.
 */
export function openDatabase(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(KEYS);
      const calls = request.result.createObjectStore(CALLS, { keyPath: 'id', autoIncrement: true });
      calls.createIndex(BY_PLACE, 'place');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new DOMException('The browser keeps nothing'));
  });
  return opened;
}

/** The result of one request, as a promise. */
export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new DOMException('The browser refused'));
  });
}

/** Waits until a transaction is kept: a page that is left before then takes it back. Rejects when it is not kept. */
export function kept(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(transaction.error ?? new DOMException('The browser refused'));
    transaction.oncomplete = () => resolve();
    transaction.onerror = fail;
    transaction.onabort = fail;
  });
}
