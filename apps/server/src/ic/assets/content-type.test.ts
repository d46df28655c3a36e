import { expect, test } from 'vitest';
import { contentTypeOf, isCompressible } from './content-type.ts';

test.each([
  ['/index.html', 'text/html; charset=utf-8'],
  ['/a/app.js', 'text/javascript; charset=utf-8'],
  ['/a/app.MJS', 'text/javascript; charset=utf-8'],
  ['/style.css', 'text/css; charset=utf-8'],
  ['/data.json', 'application/json; charset=utf-8'],
  ['/app.js.map', 'application/json; charset=utf-8'],
  ['/site.webmanifest', 'application/manifest+json; charset=utf-8'],
  ['/feed/feed.xml', 'application/xml; charset=utf-8'],
  ['/feed/pretty.xsl', 'application/xslt+xml; charset=utf-8'],
  ['/favicon.svg', 'image/svg+xml; charset=utf-8'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
  ['/logo.png', 'image/png'],
  ['/photo.avif', 'image/avif'],
  ['/module.wasm', 'application/wasm'],
  ['/font.woff2', 'font/woff2'],
  ['/favicon.ico', 'image/x-icon'],
  ['/.well-known/ic-domains', 'text/plain; charset=utf-8'],
  ['.well-known/ii-alternative-origins', 'application/json; charset=utf-8'],
  ['/docs/.well-known/ic-domains', 'application/octet-stream'],
  ['/LICENSE', 'application/octet-stream'],
  ['/html', 'application/octet-stream'],
])('%s is %s', (path, type) => {
  expect(contentTypeOf(path)).toBe(type);
});

test('text and modules are worth compressing, pictures and archives are not', () => {
  for (const type of ['text/css', 'TEXT/HTML; charset=utf-8', 'application/wasm', 'image/svg+xml'])
    expect(isCompressible(type)).toBe(true);
  for (const type of ['image/png', 'application/zip', 'font/woff2', 'application/octet-stream'])
    expect(isCompressible(type)).toBe(false);
});
