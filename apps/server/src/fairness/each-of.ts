/**
 * Does something with each, a few at a time; the first that fails ends it.
 * @param most under way at the same time
 * @throws what `work` throws
 */
export async function eachOf<T>(
  items: Iterable<T> | AsyncIterable<T>,
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: most }, worker));
}
