import { type Repository, repositoryEndpoints } from '@cannery/contract';
import { api } from '../../../lib/api/api.ts';
import { sendWithProgress, type UploadProgress } from '../../../lib/api/api-transport.ts';
import { fillPattern } from '../../../lib/text/fill-pattern.ts';
import { type ChosenFiles, freeName, UnfitFilesError } from './chosen-files.ts';
import { firstCommit, packOf } from './git-pack.ts';

/** The branch that the files are pushed to, as that of a template. */
const BRANCH = 'main';
/** What says that a branch must not be there yet: a push never writes over anything. */
const NOTHING = '0'.repeat(40);
/** Bands of an answer of git (gitprotocol-pack): its report, and lines for people. */
const REPORT = 1;
const LINES = 2;
/** Characters of an answer that are read: git's report and the lines of what a push starts are far shorter. */
export const ANSWER_LIMIT = 1024 * 1024;
/** Life of the access token of one upload: a closed tab cannot take it back. Longer than 64 MiB take on a slow line. */
const TOKEN_MINUTES = 60;
/** Characters of what git says that are shown. */
const SAID_LIMIT = 500;

const text = new TextEncoder();

/** A line as git sends it: behind its length, in four digits. */
function packet(line: string): Uint8Array<ArrayBuffer> {
  const bytes = text.encode(line);
  return text.encode(`${(bytes.length + 4).toString(16).padStart(4, '0')}${line}`);
}

/** Packets in an answer, up to where it is no answer of git any more. */
function packetsIn(answer: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at + 4 <= answer.length) {
    const digits = answer.slice(at, at + 4);
    if (!/^[0-9a-f]{4}$/.test(digits)) break;
    const length = Math.max(4, Number.parseInt(digits, 16));
    if (length > 4) found.push(answer.slice(at + 4, at + length));
    at += length;
  }
  return found;
}

/**
 * Why a push was not taken, as git's answer says it; null when it was taken.
 * @param answer read as UTF-8; the lengths in it count bytes
 */
export function refusalIn(answer: string): string | null {
  const bands = new Map<number, string>();
  const bytes = [...text.encode(answer.slice(0, ANSWER_LIMIT))]
    .map((byte) => String.fromCharCode(byte))
    .join('');
  for (const line of packetsIn(bytes)) {
    const band = line.charCodeAt(0);
    bands.set(band, `${bands.get(band) ?? ''}${line.slice(1)}`);
  }
  const report = packetsIn(bands.get(REPORT) ?? '').map((line) => line.trim());
  if (report.includes('unpack ok') && report.includes(`ok refs/heads/${BRANCH}`)) return null;
  const words = Uint8Array.from(bands.get(LINES) ?? '', (sign) => sign.charCodeAt(0));
  const said = new TextDecoder().decode(words).trim() || report.find((line) => line.startsWith('ng ')) || '';
  return said === '' ? 'The git host gave no reason.' : said.slice(0, SAID_LIMIT);
}

async function push(
  at: { readonly path: string; readonly secret: string },
  body: Blob,
  onProgress: UploadProgress,
): Promise<void> {
  const answer = await sendWithProgress(
    at.path,
    {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`upload:${at.secret}`)}`,
        'content-type': 'application/x-git-receive-pack-request',
      },
      body,
    },
    onProgress,
  );
  const said = await answer.text();
  if (!answer.ok) throw new UnfitFilesError(said.trim().slice(0, SAID_LIMIT) || 'The files were not taken.');
  const refusal = refusalIn(said);
  if (refusal !== null) throw new UnfitFilesError(refusal);
}

/** A repository that files have become. */
export type PushedRepository = Pick<Repository, 'name' | 'owner' | 'url'>;

/**
 * Makes files a new repository of the user, by the same push that git makes: with an access token that is there for it alone. A
 * repository that there is already is not touched; the new one gets another name.
 * @throws UnfitFilesError with what the git host says, ApiError, TypeError when no answer came
 */
export async function pushFiles(
  { files, name }: ChosenFiles,
  onProgress: UploadProgress,
): Promise<PushedRepository> {
  const account = await api.call(repositoryEndpoints.account, { query: {} });
  const repo = freeName(
    name,
    account.repositories.map((one) => one.name),
  );
  const commit = firstCommit(files, {
    author: account.username,
    message: `Start of ${repo}`,
    at: Math.floor(Date.now() / 1000),
  });
  const asked = packet(
    `${NOTHING} ${commit.id} refs/heads/${BRANCH}\0 report-status side-band-64k agent=cannery-console`,
  );
  const body = new Blob([asked, text.encode('0000'), ...(await packOf(commit))]);
  const token = await api.call(repositoryEndpoints.createToken, {
    body: { label: `Upload of ${repo}`, minutes: TOKEN_MINUTES },
  });
  try {
    const path = `/${encodeURIComponent(account.owner)}/${encodeURIComponent(repo)}.git/git-receive-pack`;
    await push({ path, secret: token.secret }, body, onProgress);
  } finally {
    // One that could not be taken back is on the account page, by the name of what it was for.
    await api.call(repositoryEndpoints.revokeToken, { params: { id: token.id } }).catch(() => undefined);
  }
  return {
    name: repo,
    owner: { login: account.owner },
    url: fillPattern(account.push_url_pattern, { repo }),
  };
}
