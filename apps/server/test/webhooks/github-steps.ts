import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Api, PretendGitHub } from '@cannery/dev-env';

/** What the browser brings back from GitHub. */
export interface WayBack {
  readonly code: string;
  readonly state: string;
  readonly installation_id?: number;
}

type Person = PretendGitHub['world']['accounts'][number];

/** Begins a connection; answers the state that GitHub is to hand back. */
export async function beginAt(api: Api, body: object = {}): Promise<{ address: URL; state: string }> {
  const { address } = await api.call<{ address: string }>('POST', '/github/connections', body);
  const url = new URL(address);
  return { address: url, state: url.searchParams.get('state') ?? '' };
}

/** Ends a connection, as the console does with what its address holds. */
export function finishAt(api: Api, back: WayBack): Promise<{ status: number; body: unknown }> {
  return api.request('POST', '/github/connected', back);
}

/** The whole way of a person through the pages of GitHub. */
export async function connect(
  api: Api,
  github: PretendGitHub,
  person: Person,
  installationId?: number,
): Promise<{ accounts: string[]; deploy_type: string }> {
  const { state } = await beginAt(api);
  const back = { code: github.world.code(person), state };
  const { status, body } = await finishAt(api, {
    ...back,
    ...(installationId !== undefined && { installation_id: installationId }),
  });
  if (status !== 200) throw new Error(`The connection was refused: ${JSON.stringify(body)}`);
  return body as { accounts: string[]; deploy_type: string };
}

/**
 * Sends an event to a server, as GitHub does.
 * @returns the status; 413 too where the server ended the connection before it had the whole of a large one
 */
export async function deliver(
  serverUrl: string,
  { body, headers }: { body: string; headers: Readonly<Record<string, string>> },
): Promise<number> {
  try {
    const answer = await fetch(`${serverUrl}/api/hooks/github`, { method: 'POST', headers, body });
    await answer.text();
    return answer.status;
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    if (code === 'EPIPE' || code === 'ECONNRESET') return 413;
    throw error;
  }
}

/** A part of an event as GitHub describes it, with other values. */
export function partOfEvent(
  github: PretendGitHub,
  event: string,
  part: string,
  values: object,
): Record<string, unknown> {
  const whole = JSON.parse(github.event(event, {}).body) as Record<string, Record<string, unknown>>;
  return { ...whole[part], ...values };
}

/** Bytes from which a file is packed before it is read: the disk of a build is a file of many gigabytes with hardly anything in it. */
const LARGE = 64 * 1024 ** 2;

/** The text of a file; of a large one without its holes, which tar leaves out. */
function textOfFile(path: string): string {
  if (statSync(path).size < LARGE) return readFileSync(path, 'latin1');
  const args = ['--create', '--sparse', '--file=-', `--directory=${dirname(path)}`, basename(path)];
  return execFileSync('tar', args, { encoding: 'latin1', maxBuffer: 2 ** 29 });
}

/** All files of a folder with their text, those of the database included. */
export function* filesBelow(folder: string): Generator<readonly [string, string]> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile() && existsSync(path)) yield [path, textOfFile(path)];
  }
}
