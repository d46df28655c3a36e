import { randomBytes } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import { CandidError } from '@cannery/candid/errors';
import { utf8 } from '@cannery/ic/certification/bytes';
import { type Header, headerValue } from '../proof/http-messages.ts';
import type { ByteRange } from './byte-ranges.ts';

/** How ranges of a body are sent. */
export interface RangeParts {
  /** What the page has beside the headers of the whole. */
  readonly headers: readonly Header[];
  /** The ranges, each behind these bytes. */
  readonly parts: readonly { readonly before: Uint8Array; readonly range: ByteRange }[];
  /** What comes after the last one. */
  readonly end: Uint8Array;
  /** Bytes of all of it. */
  readonly length: number;
}

const NOTHING = new Uint8Array();

/**
 * One range as it is, several as parts of a message (RFC 9110, sections 14.4 and 14.6), in the order of the body. Throws
 * `CandidError` where the type of the body cannot be told in a part.
 */
export function rangeParts(
  ranges: readonly ByteRange[],
  total: number,
  headers: readonly Header[],
): RangeParts {
  const [first, ...others] = ranges;
  const isMultipart = first === undefined || others.length > 0;
  const boundary = randomBytes(16).toString('hex');
  const type = contentType(headers);
  const parts = ranges.map((range, at) => ({
    before: isMultipart ? partHead(boundary, type, contentRange(range, total), at === 0) : NOTHING,
    range,
  }));
  const end = isMultipart ? utf8(`\r\n--${boundary}--\r\n`) : NOTHING;
  const sizes = parts.map(({ before, range }) => before.length + range.last - range.first + 1);
  return {
    headers: isMultipart
      ? [['content-type', `multipart/byteranges; boundary=${boundary}`]]
      : [['content-range', contentRange(first, total)], ...contentTypes(type)],
    parts,
    end,
    length: sizes.reduce((sum, size) => sum + size, end.length),
  };
}

function contentRange({ first, last }: ByteRange, total: number): string {
  return `bytes ${first}-${last}/${total}`;
}

function contentTypes(type: string | undefined): readonly Header[] {
  return type === undefined ? [] : [['content-type', type]];
}

/** The value goes into the middle of a body, where nothing else looks at it. */
function contentType(headers: readonly Header[]): string | undefined {
  const type = headerValue(headers, 'content-type');
  if (type === undefined) return undefined;
  try {
    validateHeaderValue('content-type', type);
    return type;
  } catch {
    throw new CandidError('its header "content-type" is not a valid HTTP header');
  }
}

function partHead(boundary: string, type: string | undefined, range: string, isFirst: boolean): Uint8Array {
  const lines = [
    `${isFirst ? '' : '\r\n'}--${boundary}`,
    ...contentTypes(type).map(([name, value]) => `${name}: ${value}`),
    `content-range: ${range}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
