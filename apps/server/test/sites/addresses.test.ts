import { beforeAll, describe, expect, test } from 'vitest';
import { assetCanisterWasm } from '@cannery/assets';
import { AssetClient, type HttpAnswer } from '../../../../canisters/assets/test/asset-client.ts';
import { batchOf } from '../../../../canisters/assets/test/operations.ts';
import { type Site, SITES } from './site-tables.ts';
import { configureSite } from '../../src/features/deploy/publish/configure-site.ts';

beforeAll(() => assetCanisterWasm(), 120_000);

/** A canister with the site, as a publication makes it; a file has its path as content. */
async function publish({ files, redirects, headers }: Site): Promise<AssetClient> {
  const rules = { _redirects: redirects, _headers: headers };
  const ruleFiles = Object.entries(rules).flatMap(([path, text]) =>
    text === undefined ? [] : [{ path, text }],
  );
  const paths = [...files.trim().split(/\s+/), ...ruleFiles.map(({ path }) => path)];
  const { configurations, places, redirects: lowered } = configureSite({ paths, ruleFiles });
  const client = await AssetClient.install();
  for (const [index, path] of paths.entries()) {
    const configuration = configurations[places[index] ?? -1];
    if (configuration === undefined) continue;
    client.store(`/${path}`, path, path.endsWith('.html') ? 'text/html' : 'text/plain');
    const own = configuration.headers ?? [];
    const unchanged = { max_age: [], allow_raw_access: [], is_aliased: [] };
    client.call('set_asset_properties', { key: `/${path}`, headers: [[own]], ...unchanged });
  }
  client.call('commit_batch', {
    batch_id: batchOf(client),
    operations: [{ SetRedirectRules: { rules: lowered } }],
  });
  return client;
}

function shown({ status, headers, body }: HttpAnswer): string {
  return `${status} ${headers.get('location') ?? new TextDecoder().decode(body)}`;
}

const ROW = /^(\S+) (\d{3} .+)$/;
const rowsOf = ({ table }: Site): [path: string, answer: string][] =>
  table
    .split('\n')
    .flatMap((line) => ROW.exec(line.trim()) ?? [])
    .flatMap((_, index, all) => (index % 3 === 0 ? [[all[index + 1] ?? '', all[index + 2] ?? '']] : []));

/** Each answer is judged by the verifier of the HTTP gateways (@dfinity/response-verification), too. */
describe('what a site answers, by the documents of the hosts', () => {
  test.each(SITES.map((site) => [site.what, site] as const))('%s', async (_what, site) => {
    const client = await publish(site);
    const rows = rowsOf(site);
    const found = rows.map(([path]) => [path, shown(client.get(path))]);
    expect(found).toEqual(rows);
  });

  test('headers of _headers, joined where several paths match', async () => {
    const site = {
      what: '',
      files: 'index.html about.html assets/app.js assets/app.css docs/index.html llms.txt 404.html',
      redirects: '/old /about 301\n/moved/* /docs/ 301\n/pretty /about.html 200',
      headers: `
        /*
          X-All: 1
        /assets/*
          Cache-Control: max-age=31536000
        /*.css
          X-Css: 1
          Cache-Control: immutable
        /
          X-Home: 1
        /about
          X-About: 1
        /docs/
          X-Docs: 1
        /old
          X-Old: 1
        /moved/*
          X-Moved: 1
        /:page
          X-One: 1`,
      table: '',
    };
    const client = await publish(site);
    const names = ['x-home', 'x-about', 'x-docs', 'x-css', 'x-old', 'x-moved', 'x-one', 'cache-control'];
    const headersAt = (path: string) => {
      const { headers } = client.get(path);
      expect([path, headers.get('x-all')]).toEqual([path, '1']);
      return names.flatMap((name) => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : [])).join(', ');
    };
    const right = {
      '/': 'x-home: 1, x-one: 1',
      '/index.html': 'x-home: 1, x-one: 1',
      '/index': 'x-home: 1, x-one: 1',
      '/about': 'x-about: 1, x-one: 1',
      '/about.html': 'x-about: 1, x-one: 1',
      '/about/': 'x-about: 1, x-one: 1',
      '/pretty': 'x-about: 1, x-one: 1',
      '/docs/': 'x-docs: 1',
      '/docs': 'x-docs: 1',
      '/docs/index.html': 'x-docs: 1',
      '/assets/app.js': 'cache-control: max-age=31536000',
      '/assets/app.css': 'x-css: 1, cache-control: max-age=31536000, immutable',
      '/llms.txt': 'x-one: 1',
      '/none': 'x-one: 1',
      '/none/deep': 'x-one: 1',
      '/old': 'x-old: 1, x-one: 1',
      '/moved/a/b': 'x-moved: 1',
      '/moved': 'x-one: 1',
    };
    expect(Object.fromEntries(Object.keys(right).map((path) => [path, headersAt(path)]))).toEqual(right);
  });

  test('there are as many as the table is to have, with those of headers', () => {
    expect(SITES.flatMap(rowsOf).length).toBeGreaterThanOrEqual(282);
  });
});
