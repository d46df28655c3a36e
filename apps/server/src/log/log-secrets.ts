import { SECRET_SHAPES } from './secret-shapes.ts';

const HIDDEN = '[redacted]';
/** A line of this many characters is cut: no error of ours is longer, and nobody reads it. */
const MOST_CHARACTERS = 32 * 1024;

/** Members of logged objects whose values are secrets, whatever these look like: headers, settings and fields of forms. */
const NAMES =
  'authorization|proxy-authorization|cookie|set-cookie|token|secret|password|passwd|envelope|private_?key|access_?key|secret_?key|' +
  'secretaccesskey|client_?secret|access_?token|refresh_?token|id_?token|session_?token|code_verifier|webhook_?secret';
/** As JSON, and as JSON in a text of JSON. */
const MEMBER = new RegExp(`("(?:${NAMES})"\\s?:\\s?)(?:"(?:[^"\\\\]|\\\\.)*"|\\[[^\\]]*\\])`, 'gi');
const INNER_MEMBER = new RegExp(`(\\\\"(?:${NAMES})\\\\"\\s?:\\s?\\\\")[^"\\\\]*`, 'gi');
/** Parameters of addresses and forms. */
const PARAMETER = new RegExp(
  `\\b((?:${NAMES}|code|state|signature|sig|key|x-amz-[a-z-]{1,40})=)[^&\\s"'\\\\#;,]+`,
  'gi',
);
/** Headers as text. */
const HEADER = /\b((?:proxy-)?authorization|cookie|set-cookie)(\s{0,3}[:=]\s{0,3})[^"\\\r\n]+/gi;
const SCHEME = /\b(Bearer|Basic|AWS4-HMAC-SHA256)( )[\w.~+/=-]{8,}/gi;
/** User and password of an address, or a token in their place. */
const IN_ADDRESS = /(:\/\/)[^\s/@"\\]+(?=@)/g;
/** What `newSecret` makes, standing alone: 43 characters of base64url. No id or hash that we log has as many. */
const OUR_SECRET = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/** A finished line of the log, of which everything is replaced that looks like a credential. It stays one JSON object. */
export function withoutSecrets(line: string): string {
  let text = line.length > MOST_CHARACTERS ? cut(line) : line;
  text = text
    .replaceAll(MEMBER, `$1"${HIDDEN}"`)
    .replaceAll(INNER_MEMBER, `$1${HIDDEN}`)
    .replaceAll(HEADER, `$1$2${HIDDEN}`)
    .replaceAll(SCHEME, `$1$2${HIDDEN}`)
    .replaceAll(PARAMETER, `$1${HIDDEN}`)
    .replaceAll(IN_ADDRESS, `$1${HIDDEN}`);
  for (const shape of SECRET_SHAPES) text = text.replaceAll(shape, HIDDEN);
  return text.replaceAll(OUR_SECRET, HIDDEN);
}

/** The same object, of which every long text is cut. */
function cut(line: string): string {
  const shorten = (_key: string, value: unknown): unknown =>
    typeof value === 'string' && value.length > LONG_TEXT ? `${value.slice(0, LONG_TEXT)} [cut]` : value;
  const shortened = JSON.stringify(JSON.parse(line, shorten) as unknown);
  if (shortened.length <= MOST_CHARACTERS) return `${shortened}\n`;
  const { time, level, msg } = JSON.parse(shortened) as Record<string, unknown>;
  return `${JSON.stringify({ level, time, msg, cut: true })}\n`;
}

const LONG_TEXT = 4 * 1024;
