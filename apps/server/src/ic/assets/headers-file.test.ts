import { expect, test } from 'vitest';
import { SiteHeaders } from './headers-file.ts';

const TEXT = `
# Security
/*
  X-Frame-Options: DENY
  Cache-Control: public
  Set-Cookie: a=1

/assets/*
  cache-control: max-age=31536000
  Set-Cookie: b=2
/*.html
  X-Page: yes
/llms.txt
  Content-Type: text/markdown; charset=utf-8
/about
  X-About: yes
/user/:id
  X-User: yes
`;

test('all paths that match give a file their headers, joined by names', () => {
  const headers = new SiteHeaders(TEXT);
  expect(headers.problems).toEqual([]);
  expect(headers.of(['/assets/app.css'])).toEqual({
    headers: [
      ['X-Frame-Options', 'DENY'],
      ['Cache-Control', 'public, max-age=31536000'],
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ],
    contentType: undefined,
  });
  const all = [
    ['X-Frame-Options', 'DENY'],
    ['Cache-Control', 'public'],
  ];
  const cookie = ['Set-Cookie', 'a=1'];
  const about = { headers: [...all, ['X-Page', 'yes'], ['X-About', 'yes'], cookie], contentType: undefined };
  expect(headers.of(['/about.html', '/about'])).toEqual(about);
  expect(headers.of(['/llms.txt']).contentType).toBe('text/markdown; charset=utf-8');
  expect(headers.of(['/a.js'])).toBe(headers.of(['/b.js']));
});

test('a redirect has the headers of its path; that of a folder those for all of it', () => {
  const headers = new SiteHeaders(TEXT);
  expect(headers.ofRedirect('/user/7')).toContainEqual(['X-User', 'yes']);
  expect(headers.ofRedirect('/assets/*')).toContainEqual(['Cache-Control', 'public, max-age=31536000']);
  expect(headers.ofRedirect('/asset/*')).toEqual(headers.ofRedirect('/other'));
});

test('lines that mean nothing are named, and those below a bad path set nothing', () => {
  const lines = {
    '  X-A: 1': 'no path stands above it',
    '/a*b*': 'more than one *',
    ' X-B: 1': null,
    'https://example.com/*': 'by paths, for all hosts',
    '/%ff': 'not UTF-8',
    '/a': null,
    'X-C: 1': null,
    '  no header': 'neither a path nor a header',
    '  X D: 1': 'neither a path nor a header',
    '  X-E: \u0007': 'neither a path nor a header',
    '  Location: /b': 'is set by the canister itself',
    '  ETag: "1"': 'is set by the canister itself',
    ' ! X-C': 'neither a path nor a header',
  };
  const headers = new SiteHeaders(Object.keys(lines).join('\r\n'));
  expect(headers.of(['/a'])).toEqual({ headers: [['X-C', '1']], contentType: undefined });
  const expected = Object.values(lines).flatMap((reason, index) =>
    reason === null ? [] : [{ line: index + 1, text: expect.stringContaining(reason) }],
  );
  expect(headers.problems).toEqual(expected);
  expect(() => new SiteHeaders('/a\n'.repeat(1_001))).toThrow('more than 1000 paths');
});
