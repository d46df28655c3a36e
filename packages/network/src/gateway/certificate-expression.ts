import { VerificationError } from './verification-error.ts';

/** What an `IC-CertificateExpression` header says is certified. Header names are in lower case. */
export type CertificateExpression =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'response';
      /** Absent when the request is not certified. */
      readonly request:
        | { readonly headers: readonly string[]; readonly queryParameters: readonly string[] }
        | undefined;
      readonly responseHeaders: readonly string[];
      /** Whether `responseHeaders` lists the certified headers, or those that are not. */
      readonly responseHeadersAre: 'certified' | 'excluded';
    };

const TEXT = '"(?:[^"\\\\]|\\\\.)*"';
const LIST = `\\[((?:${TEXT}(?:,${TEXT})*,?)?)\\]`;
const NOTHING = /^default_certification\(ValidationArgs\{no_certification:Empty\{\}\}\)$/;
const RESPONSE = new RegExp(
  '^default_certification\\(ValidationArgs\\{certification:Certification\\{' +
    '(?:no_request_certification:Empty\\{\\}|' +
    `request_certification:RequestCertification\\{certified_request_headers:${LIST},certified_query_parameters:${LIST}\\})` +
    ',response_certification:ResponseCertification\\{' +
    `(certified_response_headers|response_header_exclusions):ResponseHeaderList\\{headers:${LIST}\\}` +
    '\\}\\}\\}\\)$',
);

/** Reads the header by the grammar of the gateway protocol, with or without white space. */
export function parseCertificateExpression(value: string): CertificateExpression {
  const compact = value.replaceAll(new RegExp(`(${TEXT})|\\s+`, 'g'), '$1');
  if (NOTHING.test(compact)) return { kind: 'nothing' };
  const match = RESPONSE.exec(compact);
  if (!match) throw new VerificationError('the IC-CertificateExpression header is not understood');
  const [, requestHeaders, queryParameters, mode, responseHeaders = ''] = match;
  return {
    kind: 'response',
    request:
      requestHeaders === undefined
        ? undefined
        : { headers: lowerCase(requestHeaders), queryParameters: texts(queryParameters ?? '') },
    responseHeaders: lowerCase(responseHeaders),
    responseHeadersAre: mode === 'certified_response_headers' ? 'certified' : 'excluded',
  };
}

function texts(list: string): string[] {
  return Array.from(list.matchAll(new RegExp(TEXT, 'g')), ([quoted]) => quoted.slice(1, -1));
}

function lowerCase(list: string): string[] {
  return texts(list).map((name) => name.toLowerCase());
}
