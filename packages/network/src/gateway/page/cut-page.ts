import { utf8 } from '@cannery/ic/certification/bytes';
import { free, LARGE_REPLY_BYTES } from '@cannery/replica/engine/hand-over';
import { type Header, headerValue, headerValues } from '../proof/http-messages.ts';
import { isOfBody, type RangesAsked, resolveRanges } from './byte-ranges.ts';
import { type Pieces, piecesOf } from './pieces.ts';
import { type RangeParts, rangeParts } from './range-parts.ts';
import type { Page } from './send-page.ts';
import type { Visit } from './visit.ts';

/** A page whose whole body is proven, or comes in pieces each of which is: it can be cut. */
export interface WholePage extends Page {
  readonly length: number;
  /** How to get at a piece of the body without all before it, where that is possible. */
  readonly pieces?: Pieces;
}

/**
 * A page that tells that it can be cut. Ranges are of the body as it is encoded, so that caches are told, too, for whom that is.
 */
export function tellingRanges(page: WholePage): WholePage {
  if (page.status !== 200) return page;
  const headers = [...page.headers];
  if (headerValue(headers, 'accept-ranges') === undefined) headers.push(['accept-ranges', 'bytes']);
  if (isEncoded(headers) && !variesByEncoding(headers)) headers.push(['vary', 'Accept-Encoding']);
  return { ...page, headers };
}

function isEncoded(headers: readonly Header[]): boolean {
  const encoding = headerValue(headers, 'content-encoding')?.trim().toLowerCase() ?? '';
  return encoding !== '' && encoding !== 'identity';
}

function variesByEncoding(headers: readonly Header[]): boolean {
  const names = headerValues(headers, 'vary').flatMap((value) => value.toLowerCase().split(','));
  return names.some((name) => name.trim() === 'accept-encoding' || name.trim() === '*');
}

/**
 * What a client gets that asks for ranges of a page: these (206); all of it where they are of another body; or that there is
 * nothing at these places (416). A canister that wants none says `accept-ranges: none`. An empty body has no ranges.
 */
export function cutPage(visit: Visit, page: WholePage, asked: RangesAsked): Page {
  const { status, headers, length, body, rest } = page;
  const isWanted = headerValue(headers, 'accept-ranges')?.trim().toLowerCase() !== 'none';
  if (status !== 200 || length === 0 || !isWanted || !isOfBody(asked, headers)) return page;
  const ranges = resolveRanges(asked.specs, length);
  if (ranges.length === 0) return nothingThere(length);
  const cut = rangeParts(ranges, length, headers);
  const start = { status: 206, headers: [...cut.headers, ...keptHeaders(headers)], length: cut.length };
  if (rest) return { ...start, body: NOTHING, rest: sent(visit, page.pieces ?? piecesOf(body, rest), cut) };
  const bytes = cut.parts.flatMap(({ before, range }) => [
    before,
    body.subarray(range.first, range.last + 1),
  ]);
  const all = Buffer.concat([...bytes, cut.end], cut.length);
  free(body);
  return { ...start, body: all };
}

const NOTHING = new Uint8Array();

/** Headers that say something of the body as a whole, or prove it: a part of it is not what they are for. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set([
  'content-digest',
  'content-md5',
  'content-range',
  'content-type',
  'ic-certificate',
  'ic-certificateexpression',
]);

function keptHeaders(headers: readonly Header[]): Header[] {
  return headers.filter(([name]) => !OF_THE_WHOLE.has(name.toLowerCase()));
}

function nothingThere(length: number): Page {
  const body = utf8(`This page has ${length} bytes, and none of those that were asked for.\n`);
  const headers: Header[] = [
    ['accept-ranges', 'bytes'],
    ['content-range', `bytes */${length}`],
    ['content-type', 'text/plain; charset=utf-8'],
  ];
  return { status: 416, headers, body, length: body.length };
}

async function* sent(visit: Visit, pieces: Pieces, { parts, end }: RangeParts): AsyncGenerator<Uint8Array> {
  for (const { before, range } of parts) {
    if (before.length > 0) yield before;
    for (let at = range.first; at <= range.last; ) {
      const { first, bytes } = await pieces.at(at);
      const part = bytes.subarray(at - first, range.last + 1 - first);
      at += part.length;
      // What is sent is counted by who sends it; the rest of its piece is here as long.
      const release = visit.keep(bytes.length - part.length);
      try {
        // What is short may still be on its way when its piece is freed.
        yield part.length > LARGE_REPLY_BYTES ? part : part.slice();
      } finally {
        release();
      }
    }
  }
  if (end.length > 0) yield end;
}
