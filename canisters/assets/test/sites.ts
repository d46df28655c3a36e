import { AssetClient, type HttpAnswer } from './asset-client.ts';
import { batchOf } from './operations.ts';

type Pattern = { Exact: string } | { Subtree: string } | { Pattern: string };
export interface Rule {
  readonly from: Pattern;
  readonly to: string;
  readonly status: number;
  readonly headers: readonly [string, string][];
}

export const rule = (from: Pattern, to: string, status: number, headers: [string, string][] = []): Rule => ({
  from,
  to,
  status,
  headers,
});
export const exact = (from: string, to: string, status: number): Rule => rule({ Exact: from }, to, status);
export const subtree = (from: string, to: string, status: number): Rule =>
  rule({ Subtree: from }, to, status);
export const pattern = (from: string, to: string, status: number): Rule =>
  rule({ Pattern: from }, to, status);

export function setRules(client: AssetClient, rules: readonly Rule[]): void {
  client.call('commit_batch', { batch_id: batchOf(client), operations: [{ SetRedirectRules: { rules } }] });
}

/** A site with a body for each file that says its path. */
export async function site(files: readonly string[], rules: readonly Rule[] = []): Promise<AssetClient> {
  const client = await AssetClient.install();
  for (const key of files) client.store(key, `at ${key}`);
  if (rules.length > 0) setRules(client, rules);
  return client;
}

/** The answer, which the verifier of the HTTP gateways accepts, in short: '200 /a.html', '307 -> /a/'. */
export function shown({ status, headers, body }: HttpAnswer): string {
  const location = headers.get('location');
  const text = new TextDecoder().decode(body);
  return location === undefined ? `${status} ${text.replace(/^at /, '')}` : `${status} -> ${location}`;
}

export const answers = (client: AssetClient, urls: readonly string[]) =>
  Object.fromEntries(urls.map((url) => [url, shown(client.get(url))]));
