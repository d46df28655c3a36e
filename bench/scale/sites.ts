import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, createApi, pushFolder, signIn, startProduct } from '@cannery/dev-env';
import { quantile } from '../figures.ts';
import type { Curve } from './curves.ts';

const FILES_OF_A_FOLDER = 100;
const POLL_MS = 20;
const PAGES = 200;

/** How long a site of many files takes to be deployed, and one of its pages to be read through the gateway. */
export async function siteCurves(counts: readonly number[]): Promise<Curve[]> {
  const product = await startProduct({
    env: {
      SITE_MAX_FILES: '200000',
      SITE_PICTURES: 'off',
      RUST_TOOLCHAIN: 'off',
      RATE_LIMIT: '1000000',
    },
  });
  const points: { readonly first: [number, number][]; readonly page: [number, number][] } = {
    first: [],
    page: [],
  };
  try {
    const api = createApi(product.url, await signIn(product.url, 'ada'));
    for (const count of counts) {
      const name = `site-${count}`;
      const folder = writeSite(count);
      await pushFolder({ productUrl: product.url, api, folder, owner: 'ada', name });
      rmSync(folder, { recursive: true });
      const { canister, ms } = await deployed(api, name);
      points.first.push([count, ms]);
      points.page.push([count, await pageMs(product.networkUrl, canister, count)]);
    }
  } finally {
    await product.dispose();
  }
  return [
    { thing: 'files of a site', what: 'its first deploy', kind: 'bulk', points: points.first },
    { thing: 'files of a site', what: 'one page', kind: 'request', points: points.page },
  ];
}

const placeOf = (file: number): string => `${Math.floor(file / FILES_OF_A_FOLDER)}/${file}.html`;

function writeSite(count: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-scale-'));
  for (let file = 0; file < count - 1; file += 1) {
    if (file % FILES_OF_A_FOLDER === 0) mkdirSync(join(folder, String(file / FILES_OF_A_FOLDER)));
    writeFileSync(join(folder, placeOf(file)), `<!doctype html><title>${file}</title><p>Page ${file}`);
  }
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Scale</title><p>First page');
  return folder;
}

/** Milliseconds from the request for the run to its end. @throws Error where it does not succeed */
async function deployed(api: Api, name: string): Promise<{ canister: string; ms: number }> {
  const source = { owner: 'ada', repo_name: name, branch: 'main' };
  const { id } = await api.call<{ id: string }>('POST', '/deploy', { name, ...source });
  const start = performance.now();
  const run = await api.call<{ id: string }>('POST', `/deploy/${id}/trigger`, {});
  const path = `/deploy/${id}/instances`;
  for (;;) {
    const { data } = await api.call<{ data: { id: string; status: string }[] }>('GET', path);
    const status = data.find((each) => each.id === run.id)?.status;
    if (status === 'COMPLETED') break;
    if (status === 'FAILED') {
      const { logs } = await api.call<{ logs: string }>('GET', `${path}/${run.id}`);
      throw new Error(`The deploy of ${name} failed:\n${logs.slice(-2_000)}`);
    }
    await sleep(POLL_MS);
  }
  const ms = performance.now() - start;
  const { canisters } = await api.call<{ canisters: string[] }>('GET', `/deploy/${id}`);
  return { canister: canisters[0] ?? '', ms };
}

/** The median over pages that nobody has asked for. */
async function pageMs(networkUrl: string, canister: string, count: number): Promise<number> {
  const samples: number[] = [];
  for (let page = 0; page < Math.min(PAGES, count - 1); page += 1) {
    const file = Math.floor((page * (count - 1)) / Math.min(PAGES, count - 1));
    const start = performance.now();
    const answer = await fetch(`${networkUrl}/${placeOf(file)}?canisterId=${canister}`);
    const text = await answer.text();
    samples.push(performance.now() - start);
    if (!text.endsWith(`Page ${file}`))
      throw new Error(`The page ${file} of ${count} is ${text.slice(0, 100)}`);
  }
  return quantile(samples, 0.5);
}
