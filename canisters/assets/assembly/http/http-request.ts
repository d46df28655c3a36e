import { readHeaderList } from '../content/arguments';
import { Header } from '../content/asset';
import { CandidReader, Fields } from '../candid/candid-reader';
import { Content } from '../content/content';
import * as f from '../candid/field-ids';
import { rangeRequestOf } from '../content/headers';

/** The parts of a gateway's request that decide the answer. The body does not: assets are only read. */
export class HttpRequest {
  method: string = 'GET';
  url: string = '';
  headers: Array<Header> = [];
  /** Highest version of response verification the gateway knows; absent means 1. */
  certificateVersion: u16 = 1;

  static read(reader: CandidReader): HttpRequest {
    const request = new HttpRequest();
    let hasUrl = false;
    for (const fields = new Fields(reader, reader.argument()); fields.next(); ) {
      const type = fields.type;
      switch (fields.id) {
        case f.URL:
          request.url = reader.text(type);
          hasUrl = true;
          break;
        case f.METHOD: request.method = reader.text(type); break;
        case f.HEADERS: request.headers = readHeaderList(reader, type); break;
        case f.CERTIFICATE_VERSION:
          if (reader.present(type)) request.certificateVersion = reader.nat16(reader.elementType(type));
          break;
        default: reader.skip(type);
      }
    }
    if (!hasUrl) reader.fail('field url is missing');
    return request;
  }

  /** The value of a header, several of one name joined by commas; empty when absent. `name` is in lower case. */
  header(name: string): string {
    let value = '';
    for (let i = 0; i < this.headers.length; i++) {
      if (this.headers[i].name.toLowerCase() != name) continue;
      value += (value.length > 0 ? ',' : '') + this.headers[i].value;
    }
    return value;
  }

  /** Whether the client has the content with this ETag already. */
  has(etag: string): bool {
    const known = this.header('if-none-match').split(',');
    for (let i = 0; i < known.length; i++) {
      const tag = known[i].trim();
      if (tag == etag || tag == 'W/' + etag || tag == '*') return true;
    }
    return false;
  }

  /**
   * The piece of a body that the client asks for, -1 for the whole. Only what starts where a piece does and is open to
   * the end is certified; any other range may be answered with the whole (RFC 9110, section 14.2).
   */
  piece(content: Content, etag: string): i64 {
    const range = this.header('range');
    if (this.method != 'GET' || !range.startsWith('bytes=')) return -1;
    const condition = this.header('if-range');
    if (condition.length > 0 && condition != etag) return -1;
    for (let index: u64 = 0; index < content.pieces; index++) {
      if (range == rangeRequestOf(index)) return index;
    }
    return -1;
  }

  /** The host of a request that asks for answers without certificate, which an asset may refuse; else empty. */
  get rawHost(): string {
    const host = this.header('host');
    return host.includes('.raw.') ? host : '';
  }
}
