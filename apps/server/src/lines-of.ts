import { StringDecoder } from 'node:string_decoder';

/**
 * The lines of a text, each ended by a line feed and by nothing else; what is behind the last one is a line unless it is empty. Node's `readline`
 * ends lines at U+2028, U+2029 and a lone carriage return as well, which texts of tenants have within a line.
 * @param encoding `latin1` keeps bytes that are no UTF-8, each as a character
 */
export async function* linesOf(
  content: AsyncIterable<Uint8Array | string>,
  encoding: 'utf8' | 'latin1' = 'utf8',
): AsyncGenerator<string> {
  const decoder = new StringDecoder(encoding);
  let begun: string[] = [];
  for await (const piece of content) {
    const text = typeof piece === 'string' ? piece : decoder.write(piece);
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      yield begun.join('') + text.slice(from, end);
      begun = [];
      from = end + 1;
    }
    if (from < text.length) begun.push(text.slice(from));
  }
  const last = begun.join('') + decoder.end();
  if (last !== '') yield last;
}
