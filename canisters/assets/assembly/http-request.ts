import { readHeaderList } from './arguments';
import { Header } from './asset';
import { CandidReader, Fields } from './candid-reader';
import * as f from './field-ids';

/** The parts of a gateway's request that decide the answer. Method and body do not: assets are only read. */
export class HttpRequest {
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

  /** The host of a request that asks for answers without certificate, which an asset may refuse; else empty. */
  get rawHost(): string {
    const host = this.header('host');
    return host.includes('.raw.') ? host : '';
  }
}
