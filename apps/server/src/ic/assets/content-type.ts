import mime from 'mime';

/** Media types of text that are not `text/*`; browsers take them for UTF-8 only when told so. */
const TEXT_APPLICATIONS = new Set([
  'application/json',
  'application/ld+json',
  'application/geo+json',
  'application/manifest+json',
  'application/xml',
  'application/xhtml+xml',
  'application/rss+xml',
  'application/atom+xml',
  'application/xslt+xml',
  'image/svg+xml',
]);

/** What the registry of media types lacks or browsers refuse. */
const OWN_TYPES: ReadonlyMap<string, string> = new Map([
  ['js', 'text/javascript'],
  ['mjs', 'text/javascript'],
  ['cjs', 'text/javascript'],
  ['map', 'application/json'],
  ['xsl', 'application/xslt+xml'],
  ['xml', 'application/xml'],
  ['webmanifest', 'application/manifest+json'],
  ['avif', 'image/avif'],
  ['wasm', 'application/wasm'],
  ['did', 'text/plain'],
  ['ico', 'image/x-icon'],
]);

/** Files whose names have no suffix, and whose form is agreed on. */
const KNOWN_PATHS: ReadonlyMap<string, string> = new Map([
  // One domain a line; documentation of the Internet Computer, 'Custom domains'.
  ['.well-known/ic-domains', 'text/plain'],
  // Specification of Internet Identity, 'Alternative frontend origins'.
  ['.well-known/ii-alternative-origins', 'application/json'],
]);

const UNKNOWN = 'application/octet-stream';

/** Types that are not text and still shrink much: everything else in common use is compressed already. */
const SHRINKING_TYPES = new Set(['application/wasm', 'image/x-icon', 'image/bmp', 'font/ttf', 'font/otf']);

/** Whether gzip is worth trying on bodies of this type. */
export function isCompressible(contentType: string): boolean {
  const [type = ''] = contentType.split(';');
  const name = type.trim().toLowerCase();
  return name.startsWith('text/') || TEXT_APPLICATIONS.has(name) || SHRINKING_TYPES.has(name);
}

/** The `content-type` header for a file by its path, with the character set for text. */
export function contentTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const suffix = dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
  const known = KNOWN_PATHS.get(path.replace(/^\//, ''));
  const type = known ?? OWN_TYPES.get(suffix) ?? mime.getType(suffix) ?? UNKNOWN;
  return type.startsWith('text/') || TEXT_APPLICATIONS.has(type) ? `${type}; charset=utf-8` : type;
}
