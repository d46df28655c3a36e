import type { SiteWarning } from '@cannery/contract';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestWorkspace, testWorkspace } from '../disks/workspace.testing.ts';
import type { BuildRun } from '../step/step-runner.ts';
import { CHECK_LIMITS, type CheckLimits, checkSite, type SiteCheck, siteWarnings } from './check-site.ts';
import { listSite } from './publish-directory.ts';
import { warningLines, warningsOfSites } from './site-warning.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A site without `_redirects` and `_headers`. */
const noRules = { redirected: [], lineProblems: [], missing: [] };

interface Known {
  readonly secrets?: Readonly<Record<string, string>>;
  readonly links?: readonly string[];
  readonly hidden?: readonly string[];
  readonly redirected?: readonly string[];
  readonly lineProblems?: readonly string[];
  readonly missing?: readonly string[];
  readonly limits?: Partial<CheckLimits>;
}

let dataDir: string;
let folders: TestWorkspace;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-check-'));
  folders = await testWorkspace(dataDir);
});

afterEach(async () => {
  await folders.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Checks the site in `dist` after these files were written. */
async function check(
  files: Files,
  { secrets = {}, links = [], hidden = [], limits = {}, ...rules }: Known = {},
): Promise<SiteWarning[]> {
  for (const [path, content] of Object.entries(files)) folders.put(path, content);
  const { files: listed } = await listSite(folders.source, 'dist', { files: 1_000, megabytes: 500 });
  const published = listed
    .filter(({ path }) => !hidden.includes(path))
    .map((file) => ({ ...file, hasAliases: true }));
  const known = { ...noRules, ...rules, secrets: new Map(Object.entries(secrets)), links };
  return checkSite(folders.source, published, known, { ...CHECK_LIMITS, ...limits });
}

const only = async (...given: Parameters<typeof check>): Promise<SiteWarning> => {
  const warnings = await check(...given);
  expect(warnings).toHaveLength(1);
  return warnings[0]!;
};

const page = (body: string, head = ''): string =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
/** The least that a site with a page for what is not there has. */
const site = { 'dist/index.html': page('Hello'), 'dist/404.html': page('Lost') };
const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';

describe('the site check names', () => {
  test('pointers of Git LFS', async () => {
    const files = { ...site, 'dist/img/a.png': POINTER, 'dist/b.bin': POINTER };
    expect(await only(files)).toEqual({
      text: '2 files of the site are Git LFS pointers, a few lines of text about the real content. The log of the checkout says why. Push it with Git LFS, or commit the content itself.',
      files: ['b.bin', 'img/a.png'],
      more: 0,
    });
    expect((await only({ 'dist/b.bin': `${POINTER}${'x'.repeat(1_024)}` })).files).toEqual(['img/a.png']);
  });

  test('links that became text: those of the repository, and what can be nothing else', async () => {
    const files = {
      ...site,
      'dist/latest': 'v2',
      'dist/v2/index.html': page('Two'),
      'dist/logo.png': '../assets/logo.png',
      'dist/old.css': 'new.css',
      'dist/new.css': 'a { color: red }',
      // These are what they seem to be.
      'dist/VERSION': '1.2.3',
      'dist/name.txt': 'new.css',
      'dist/short.js': 'go()',
      'dist/icon.svg': '<svg/>',
      'dist/two.css': 'new.css\nold.css',
    };
    const { text, files: named } = await only(files, { links: ['dist/latest', 'dist/VERSION'] });
    expect(named).toEqual(['latest', 'logo.png', 'old.css']);
    expect(text).toMatch(/^3 files of the site are symbolic links of the repository.* Commit copies/);
  });

  test('links that lead to nothing, with the pages that have them', async () => {
    const files = {
      ...site,
      'dist/index.html': page(
        '<a href="/abuot">About</a> <img src="img/none.png"><a href="guide/">Guide</a>',
      ),
      'dist/about.html': page('<a href="/abuot">About</a><script src="/app.js?v=1"></script>'),
      'dist/guide/index.html': page('<a href="next">Next</a> <a href="../about">About</a>'),
      'dist/css/main.css': '/* url(no.png) */ a { background: url("../img/bg.svg") } b { src: url(x.woff2) }',
    };
    expect(await only(files)).toEqual({
      text: '6 links of the site lead to addresses where the site has nothing. Correct the links, or publish what they lead to.',
      files: [
        'about.html and 1 more file: /abuot',
        'about.html: /app.js',
        'css/main.css: /img/bg.svg',
        'css/main.css: /css/x.woff2',
        'guide/index.html: /guide/next',
        'index.html: /img/none.png',
      ],
      more: 0,
    });
  });

  test('links in other letters, with the files that are meant', async () => {
    const files = {
      ...site,
      'dist/index.html': page('<img src="/img/Logo.PNG"><a href="Guide/">Guide</a><a href="/About">us</a>'),
      'dist/img/logo.png': 'x',
      'dist/about.html': page(''),
      'dist/guide/index.html': page(''),
    };
    const { text, files: named } = await only(files);
    expect(text).toMatch(/^3 links of the site lead to files that are named with other capital/);
    expect(named).toEqual([
      'index.html: /img/Logo.PNG (the file is /img/logo.png)',
      'index.html: /Guide/ (the file is /guide/index.html)',
      'index.html: /About (the file is /about.html)',
    ]);
  });

  test('lines of files of rules that lead to nothing, or have no effect', async () => {
    const missing = [
      '_redirects line 5: /app/index.html',
      '_redirects line 6: /gone-with-k3y-of-the-service.html',
    ];
    const lineProblems = Array.from({ length: 22 }, (_, n) => `_headers line ${n}: no path stands above it`);
    const rules = { missing, lineProblems, secrets: { KEY: 'k3y-of-the-service' } };
    const [led, without] = await check(site, rules);
    expect(led?.text).toMatch(/^2 lines of _redirects lead to addresses where the site has nothing/);
    expect(led?.files).toEqual([missing[0], '_redirects line 6: /gone-with-[hidden].html']);
    expect(without?.text).toMatch(/^22 lines of _redirects and _headers have no effect here\./);
    expect([without?.files.length, without?.more]).toEqual([20, 2]);
  });

  test('no link to an address from which visitors are led on, in an application too', async () => {
    const body = '<a href="/old">a</a><a href="/older/a">b</a><a href="/user/7">c</a><a href="/none">d</a>';
    const files = { 'dist/index.html': page(body) };
    const redirected = ['/old', '/older/*', '/user/:id'];
    expect((await only(files, { redirected })).files).toEqual(['index.html: /none']);
    expect(await check(files, { redirected: [...redirected, '/*'] })).toEqual([]);
  });

  test('secrets in files, by the names of their variables and never by their values', async () => {
    const [key, certificate] = [
      'k3y-of-the-service',
      '-----BEGIN KEY-----\nabcdefghijk\n-----END KEY-----\n',
    ];
    const files = {
      ...site,
      'dist/app.js': `const key = "${key}", pem = ${JSON.stringify(certificate)};`,
      'dist/app.js.map': `${'x'.repeat(256 * 1024 - 5)}${key}`,
      'dist/photo.jpg': key,
      'dist/data.bin': `\0${key}`,
      'dist/hidden.txt': key,
      [`dist/${key}.txt`]: key,
      'dist/near.txt': key.slice(0, -1),
    };
    const secrets = { API_KEY: key, PEM: certificate, SHORT: 'const', OTHER: 'k3y-of-the-master' };
    const { text, files: named } = await only(files, { secrets, hidden: ['hidden.txt'] });
    expect(text).toMatch(/^Secrets of this deploy are in files of the site, where everybody can read them\./);
    expect(named).toEqual(['app.js: API_KEY', 'app.js: PEM', 'app.js.map: API_KEY', '[hidden].txt: API_KEY']);
  });
});

describe('no warning is about', () => {
  test('a site of several pages', async () => {
    const head =
      '<base href="/"><link rel="stylesheet" href="css/main.css"><link rel=icon href=favicon.ico>' +
      '<link rel="preconnect" href="//fonts.example"><link rel="alternate" href="/feed.xml"><link rel="canonical" href="/nowhere">' +
      '<script type="module" src="./assets/app-3f2a.js"></script><script>document.write("<a href=\'/made\'>")</script>';
    const body = `
      <!-- <a href="/commented">x</a> --><!--> <!-- > <a href="/also"> -->
      <a href="/">Home</a> <a href="/about">About</a> <a href="about.html#team">Team</a> <a href='/guide'>Guide</a>
      <a href="/guide/">Guide</a> <a href="guide/install/?tab=npm#top">Install</a> <a HREF = "/caf%C3%A9.html">Café</a>
      <a href="/100%.txt">All</a> <a href="/a%20b.txt">Space</a> <a href="/a b.txt">Space</a> <a href="#top">Top</a>
      <a href="?page=2">Next</a> <a href="">Here</a> <a href="https://example.com/x">Out</a> <a href="//cdn.example/x.js">Out</a>
      <a href="mailto:ada@example.com">Mail</a> <a href="tel:123">Call</a> <a href="javascript:void(0)">Do</a>
      <a href="/{{ page }}">T</a> <a href="\${url}">T</a> <a href="<%= url %>">T</a> <a href="%PUBLIC_URL%/x">T</a> <a href={{url}}>T</a>
      <a href="Q&amp;A.html">Q&amp;A</a> <a href="&#x2F;about">About</a> <a title="a > b" data-href="/data" href=/about>About</a>
      <img src="data:image/png;base64,AAAA" alt="<a href='/alt'>"> <img src="blob:x"> <img src="img/photo.jpg" srcset="x 2x">
      <template><a href="/template"><template><i></i></template></a><img src="/x.png"></template>
      <textarea><a href="/text"></textarea> <pre>&lt;a href="/escaped"&gt;</pre> 1 < 2 <my-link href="/element">x</my-link>
      <a href="/_/raw/x">gateway</a> <a href="/api/v2/status">status</a> <a href="/.well-known/ic-domains">domains</a>
      <iframe src="about:blank"></iframe> <script src=/assets/app-3f2a.js></script>`;
    const files = {
      'dist/index.html': page(body, head),
      'dist/404.html': page('<a href="/">Home</a>', head),
      'dist/about.html': page(body, head),
      'dist/Q&A.html': page(body, head),
      'dist/café.html': page(body, head),
      'dist/guide/index.html': page(
        '<a href="install/">Install</a><a href="../about">a</a><img src="shot.png">',
      ),
      'dist/guide/shot.png': 'x',
      'dist/guide/install/index.html': page(
        '<a href="..">Up</a><a href="../../">Home</a><img src="../shot.png">',
      ),
      'dist/100%.txt': 'x',
      'dist/a b.txt': 'x',
      'dist/favicon.ico': 'x',
      'dist/.well-known/ic-domains': 'example.com',
      'dist/img/photo.jpg': 'x',
      'dist/assets/app-3f2a.js': 'fetch("/nothing.json")',
      'dist/fonts/a.woff2': 'x',
      'dist/css/main.css': `@import "none.css"; @font-face { src: url(../fonts/a.woff2?v=1#x) format("woff2"), local("x") }
        a { background: url(data:image/svg+xml;base64,AA==) } b { content: "url(no.png)"; mask: url(#mask) }
        i { background: url( '/img/photo.jpg' ) } u { background: url(https://example.com/x.png) } /* ' */`,
    };
    expect(await check(files, { secrets: { KEY: 'not-in-this-site' } })).toEqual([]);
  });

  test('an application with one page, but for files that it lacks', async () => {
    const body = '<a href="/users/7">User</a><a href="/v1.2/notes">Notes</a><img src="/users/logo.png">';
    const files = { 'dist/index.html': page(body) };
    expect((await only(files)).files).toEqual(['index.html: /users/logo.png']);
  });

  test('pages whose address nobody knows, and what is no text in UTF-8', async () => {
    const files = {
      ...site,
      'dist/index.html': page('<a href="nothing">x</a>', '<base href="$FLUTTER_BASE_HREF">'),
      'dist/latin.html': Buffer.from('<a href="/caf\xe9">x</a>', 'latin1'),
      'dist/outside.html': page('<a href="nothing">x</a>', '<base href="https://example.com/">'),
    };
    expect(await check(files)).toEqual([]);
  });
});

describe('the site check is bounded', () => {
  test('it names twenty files of a kind and counts the rest', async () => {
    const links = Array.from({ length: 25 }, (_, n) => `<a href="/none-${n}">x</a>`).join('');
    const { text, files, more } = await only({ ...site, 'dist/index.html': page(links) });
    expect([files.length, more, text.slice(0, 8)]).toEqual([20, 5, '25 links']);
  });

  test.each([
    [{ pageFile: 1_000 }, 'reads at most 64.0 MB of pages and styles, 1000 B of each'],
    [{ pageBytes: 1_000 }, 'reads at most 1000 B of pages and styles'],
    [{ secretBytes: 1_000 }, '1000 B in search of secrets'],
    [{ millis: -1 }, 'ended after 0 seconds'],
  ])('what is beyond %j is not read, which it says', async (limits, words) => {
    const files = { ...site, 'dist/index.html': page(`${'x'.repeat(2_000)}<a href="/none">x</a>the-secret`) };
    const warnings = await check(files, { limits, secrets: { KEY: 'never-there' } });
    const text = warnings.at(-1)?.text;
    expect(text).toContain(words);
    expect(text).toContain('has not seen all of this site');
  });

  test('what is shown has no control characters, and is cut', async () => {
    const links = `<a href="/a&#x202e;b%07c">x</a><a href="/${'long/'.repeat(200)}">x</a>`;
    const { files } = await only({ ...site, 'dist/index.html': page(links) });
    expect(files[0]).toBe('index.html: /a\uFFFDb\uFFFDc');
    expect(files[1]?.length).toBeLessThan(330);
  });

  test('a file that became a link out of the source folder is not read', async () => {
    folders.put('dist/index.html', page(''));
    const { files } = await listSite(folders.source, 'dist', { files: 10, megabytes: 1 });
    symlinkSync(join(folders.disk.source, '..', 'out.html'), join(folders.disk.source, 'dist', 'out.html'));
    const given = [...files, { ...files[0]!, path: 'out.html', place: 'dist/out.html' }];
    const all = given.map((file) => ({ ...file, hasAliases: true }));
    expect(await checkSite(folders.source, all, { ...noRules, secrets: new Map(), links: [] })).toEqual([]);
  });
});

describe('a run', () => {
  const known: SiteCheck = {
    secrets: new Map(),
    links: ['app/dist/latest', 'else/dist/latest'],
    servedOf: async (files) => ({
      ...noRules,
      files: files.map(({ path }) => ({ path, hasAliases: false })),
    }),
  };
  /** What the check sees of a run whose source folder is `app` of the checkout. */
  const warningsIn = async (siteCheck: SiteCheck, signal = new AbortController().signal) => {
    for (const [path, text] of Object.entries({ ...site, 'dist/a/b': 'x', 'dist/latest': 'a' }))
      folders.put(path, text);
    const { files } = await listSite(folders.source, 'dist', { files: 10, megabytes: 1 });
    const run = { folders, signal, deadline: performance.now() + 60_000 } as unknown as BuildRun;
    return { files, warnings: siteWarnings(run, files, siteCheck, 'app') };
  };

  test('knows the links of the folder that is built', async () => {
    const { warnings } = await warningsIn(known);
    expect(await warnings).toMatchObject([{ files: ['latest'] }]);
  });

  test('goes on without the check when the program of it ends, and reads the files of the site', async () => {
    const servedOf: SiteCheck['servedOf'] = async (files) => {
      // Less comes than was said, so that no other request can follow.
      const body = { size: 1, pieces: [] };
      await folders.source.ask({ op: 'plain' }, { body }).catch(() => undefined);
      return known.servedOf(files);
    };
    const { files, warnings } = await warningsIn({ ...known, servedOf });
    expect(await warnings).toEqual([
      {
        text: 'The site check could not be finished, so that the site is published without it. Deploy again to have it checked.',
        files: [],
        more: 0,
      },
    ]);
    expect(Buffer.from((await files[0]?.read()) ?? []).toString()).toContain('Lost');
  });

  test('that is ended ends the check', async () => {
    const controller = new AbortController();
    const servedOf: SiteCheck['servedOf'] = async (files) => {
      setImmediate(() => controller.abort(new Error('ended')));
      return known.servedOf(files);
    };
    const { warnings } = await warningsIn({ ...known, servedOf }, controller.signal);
    await expect(warnings).rejects.toThrow('ended');
  });

  test('tells the warnings in its log, by the sites where there are several', () => {
    const warnings = [{ text: 'Wrong. Do it right.', files: ['a', 'b'], more: 3 }];
    const lines = [
      'Warnings of the site check:',
      '  Wrong. Do it right.',
      '    a',
      '    b',
      '    and 3 more',
    ];
    const site = (name: string, found: readonly SiteWarning[]) =>
      ({ name, content: { kind: 'site', warnings: found } }) as const;
    expect(warningLines(warningsOfSites([site('one', warnings)]))).toEqual(lines);
    const several = warningsOfSites([site('one', warnings), site('two', [])]);
    expect(warningLines(several)[1]).toBe('  one: Wrong. Do it right.');
    expect(warningLines([])).toEqual([]);
  });
});
