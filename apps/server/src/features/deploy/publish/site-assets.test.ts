import { expect, test } from 'vitest';
import type { SiteFile } from '../../../builders/site/publish-directory.ts';
import { siteAssets } from './site-assets.ts';

const readers = new Map<string, SiteFile['read']>();

async function site(files: Record<string, string>): Promise<SiteFile[]> {
  return Object.entries(files).map(([path, text]) => {
    const read = async (): Promise<Uint8Array> => Buffer.from(text);
    readers.set(path, read);
    return { path, size: text.length, read };
  });
}

test('files become assets with what the rules say of them', async () => {
  const files = await site({
    '.ic-assets.json5':
      "[{match:'*',disable_security_policy_warning:true},{match:'*.html',cache:{max_age:5},enable_aliasing:false,encodings:['gzip']}]",
    'index.html': 'x',
    'assets/.ic-assets.json': '[{"match":"**/*","headers":{"X-A":"1"},"allow_raw_access":false}]',
    'assets/a.js': 'x',
    '.env': 'SECRET=1',
  });
  const { files: assets, remarks } = await siteAssets(files);
  expect(assets).toEqual([
    {
      key: '/index.html',
      read: readers.get('index.html'),
      contentType: 'text/html; charset=utf-8',
      allowRawAccess: true,
      maxAge: 5,
      enableAliasing: false,
      encoders: ['gzip'],
    },
    {
      key: '/assets/a.js',
      read: readers.get('assets/a.js'),
      contentType: 'text/javascript; charset=utf-8',
      allowRawAccess: false,
      headers: [['X-A', '1']],
    },
  ]);
  expect(remarks).toEqual(['Hidden or ignored, not published: .env.']);
});

test('a site without rules gets no advice; one with rules does', async () => {
  expect((await siteAssets(await site({ 'index.html': 'x' }))).remarks).toEqual([]);
  const rules =
    "[{match:'*'},{match:'a.html',security_policy:'standard'},{match:'b.html',security_policy:'hardened'},{match:'x'}]";
  const { remarks } = await siteAssets(
    await site({ '.ic-assets.json5': rules, 'index.html': 'x', 'a.html': 'x', 'b.html': 'x' }),
  );
  expect(remarks).toEqual([
    "A rule of '.' matches nothing: x.",
    expect.stringMatching(/^No security policy is set.*: index\.html\.$/),
    expect.stringMatching(/^The standard security policy can be made stricter.*: a\.html\.$/),
    expect.stringMatching(/^The policy 'hardened' expects rules with headers.*: b\.html\.$/),
  ]);
});

test('two files of rules in one folder, and a site of which nothing is left, are refused', async () => {
  const both = await site({ '.ic-assets.json': '[]', '.ic-assets.json5': '[]', 'index.html': 'x' });
  await expect(siteAssets(both)).rejects.toThrow('has both');
  const none = await site({ 'a/.ic-assets.json5': "[{match:'*',ignore:true}]", 'a/index.html': 'x' });
  await expect(siteAssets(none)).rejects.toThrow('All files of the site are hidden or ignored.');
});

test('a start page may come by a rule, and needs one that answers', async () => {
  const home = (redirects: string) => site({ 'home.html': 'x', _redirects: redirects });
  const { redirects, files } = await siteAssets(await home('/ /home.html 200'));
  expect(files.map(({ key }) => key)).toEqual(['/home.html']);
  expect(redirects[0]).toEqual({ from: { Exact: '/' }, to: '/home.html', status: 200, headers: [] });
  for (const none of ['/ /home.html 404', '/:page /home.html 200', '/ /none.html 200', ''])
    await expect(siteAssets(await home(none)), none).rejects.toThrow('The site has no page at its address');
});

test('_headers goes before what .ic-assets.json5 says of the same header, and sets the type of a file', async () => {
  const { files } = await siteAssets(
    await site({
      'index.html': 'x',
      '.ic-assets.json5':
        "[{match:'*',headers:{'X-A':'rule','x-b':'rule'},disable_security_policy_warning:true}]",
      _headers: '/*\n  X-B: file\n  Content-Type: text/one\n/index.html\n  Content-Type: text/two',
    }),
  );
  expect(files).toMatchObject([
    {
      contentType: 'text/one',
      headers: [
        ['X-A', 'rule'],
        ['X-B', 'file'],
      ],
    },
  ]);
});
