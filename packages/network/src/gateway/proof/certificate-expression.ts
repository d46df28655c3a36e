import { VerificationError } from './verification-error.ts';

/** What an `IC-CertificateExpression` header says is certified. Header names are in lower case. */
export type CertificateExpression =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'response';
      /** Absent when the request is not certified. */
      readonly request:
        | { readonly headers: ReadonlySet<string>; readonly queryParameters: ReadonlySet<string> }
        | undefined;
      readonly responseHeaders: ReadonlySet<string>;
      /** Whether `responseHeaders` lists the certified headers, or those that are not. */
      readonly responseHeadersAre: 'certified' | 'excluded';
    };

/** Longest expression that is read, in characters: one that names thirty headers has about a thousand. */
const MAX_EXPRESSION_LENGTH = 8_192;
/** Most names in one list: a response has no more headers, see `http-messages.ts`. */
const MAX_NAMES = 256;

/** Reads the header by the grammar of the gateway protocol, with or without white space. Throws `VerificationError`. */
export function parseCertificateExpression(value: string): CertificateExpression {
  if (value.length > MAX_EXPRESSION_LENGTH) {
    throw new VerificationError('the IC-CertificateExpression header is too long');
  }
  const text = new Text(withoutSpace(value));
  text.take('default_certification(ValidationArgs{');
  const expression = text.has('no_certification:Empty{}') ? NOTHING : certification(text);
  text.take('})');
  text.end();
  return expression;
}

const NOTHING: CertificateExpression = { kind: 'nothing' };

function certification(text: Text): CertificateExpression {
  text.take('certification:Certification{');
  const request = text.has('no_request_certification:Empty{}') ? undefined : requestCertification(text);
  text.take(',response_certification:ResponseCertification{');
  const responseHeadersAre = text.has('certified_response_headers') ? 'certified' : 'excluded';
  if (responseHeadersAre === 'excluded') text.take('response_header_exclusions');
  text.take(':ResponseHeaderList{headers:');
  const responseHeaders = text.names();
  text.take('}}}');
  return { kind: 'response', request, responseHeaders, responseHeadersAre };
}

function requestCertification(text: Text): { headers: Set<string>; queryParameters: Set<string> } {
  text.take('request_certification:RequestCertification{certified_request_headers:');
  const headers = text.names();
  text.take(',certified_query_parameters:');
  const queryParameters = text.names();
  text.take('}');
  return { headers, queryParameters };
}

/** The expression without the white space between its words; what is in quotes stays as it is. */
function withoutSpace(value: string): string {
  let compact = '';
  for (let at = 0; at < value.length; ) {
    const end = value[at] === '"' ? endOfQuoted(value, at) : at + 1;
    const part = value.slice(at, end);
    if (part.length > 1 || part.trim() !== '') compact += part;
    at = end;
  }
  return compact;
}

const LINE_ENDS = '\n\r\u2028\u2029';

/** Where the quoted text that begins at `start` has ended. A backslash takes the sign after it along. */
function endOfQuoted(value: string, start: number): number {
  for (let at = start + 1; at < value.length; at += 1) {
    const sign = value[at];
    if (sign === '"') return at + 1;
    if (sign !== '\\') continue;
    at += 1;
    if (LINE_ENDS.includes(value[at] ?? '\n')) break;
  }
  throw notUnderstood();
}

function notUnderstood(): VerificationError {
  return new VerificationError('the IC-CertificateExpression header is not understood');
}

/** Reads a text from its beginning to its end, each sign once. */
class Text {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Passes over `words` if they are next. */
  has(words: string): boolean {
    if (!this.#text.startsWith(words, this.#at)) return false;
    this.#at += words.length;
    return true;
  }

  take(words: string): void {
    if (!this.has(words)) throw notUnderstood();
  }

  end(): void {
    if (this.#at !== this.#text.length) throw notUnderstood();
  }

  /** A list of quoted names, in lower case; what is escaped in them stays so. */
  names(): Set<string> {
    const names = new Set<string>();
    this.take('[');
    while (!this.has(']')) {
      if (this.#text[this.#at] !== '"' || names.size === MAX_NAMES) throw notUnderstood();
      const end = endOfQuoted(this.#text, this.#at);
      names.add(this.#text.slice(this.#at + 1, end - 1).toLowerCase());
      this.#at = end;
      if (this.has(']')) break;
      this.take(',');
    }
    return names;
  }
}
