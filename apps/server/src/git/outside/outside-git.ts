import { readFile } from 'node:fs/promises';
import { readRepositoryAddress, type RepositoryAddress } from '@cannery/contract';
import type { EgressConfig, HostAndPort } from '../../config/config.ts';
import type { EgressHost } from '../../egress/egress-host.ts';
import type { EgressProxy } from '../../egress/egress-proxy.ts';
import { gitEgress } from '../../egress/hosts.ts';
import { AppError } from '../../errors.ts';
import { FairSemaphore } from '../../fairness/fair-semaphore.ts';
import { makeCertificateFile } from './certificate-file.ts';
import { explainGitError } from './explain-git-error.ts';
import type { GitUser } from '../repository/git-host.ts';
import { isBranchName } from '../repository/names.ts';
import type { LfsSource } from '../lfs/lfs-object.ts';
import { outsideObjects } from './outside-lfs.ts';
import { branchesInListing } from './remote-branches.ts';
import { TOLERATED_FAULTS } from '../repository/repository-folder.ts';
import { type GitOptions, runGit } from '../repository/run-git.ts';

/** Public repositories of git hosts outside the product, as far as the operator's list allows. */
export interface OutsideGit {
  /** The repository an address names. @throws AppError invalid_input, with what is wrong with the address */
  allowed(url: string): RepositoryAddress;
  /**
   * Its branches, its default branch first.
   * @throws AppError repository_not_found, also for one without a branch; git_host_unavailable; rate_limited
   */
  branches(repository: RepositoryAddress, user: Pick<GitUser, 'id'>): Promise<string[]>;
  /**
   * Brings the newest commit of a branch into a new bare repository.
   * @param credential what opens a repository that is not public
   * @throws AppError repository_not_found, payload_too_large or git_host_unavailable
   */
  fetch(
    repository: RepositoryAddress,
    branch: string,
    gitDir: string,
    signal: AbortSignal,
    credential?: Credential,
  ): Promise<void>;
  /**
   * Brings the commit of a tag, else of a branch, into a new bare repository whose only branch is `main`.
   * @param revision the tag or branch, and the whole or shortened id of the commit that is meant, else an empty text
   * @returns the id of the commit
   * @throws AppError repository_not_found, also when the tag is at another commit; payload_too_large; git_host_unavailable
   */
  fetchRevision(
    repository: RepositoryAddress,
    revision: Revision,
    gitDir: string,
    signal: AbortSignal,
  ): Promise<string>;
  /**
   * Files of Git LFS that a public repository has.
   * @param folder where none is yet, for what is under way
   */
  lfsObjects(repository: RepositoryAddress, folder: string): LfsSource;
}

/** User name and password for one host. */
interface Credential {
  readonly username: string;
  readonly password: string;
}

/** A tag or branch, or a commit. */
interface Revision {
  readonly ref: string;
  /** Hexadecimal; empty where `ref` alone tells. */
  readonly commit: string;
}

/** Bytes of a list of branches, some 60,000 of them: as git prints it, and on its way. */
const LISTING_BYTES = 4 * 1024 ** 2;
const LISTING_LIMIT_MS = 20_000;
/** Bytes of one fetch, as of one push to the embedded host. */
const FETCH_BYTES = 512 * 1024 ** 2;
const FETCH_LIMIT_MS = 5 * 60 * 1000;

/** Where a fetched tag or commit is put, and the characters of a whole commit id. */
const FETCHED = 'refs/cannery/fetched';
const COMMIT_LENGTH = 40;

const HTTPS = 443;

/** No redirect, no password, no hurry beyond reason: under 1,000 bytes a second for 30 s is given up. */
const TRANSPORT = [
  'credential.helper=',
  'core.askPass=',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
] as const;

/** What comes is checked as what is pushed. */
const CONTENT = [
  'fetch.fsckObjects=true',
  'fetch.unpackLimit=1',
  ...TOLERATED_FAULTS.map((fault) => `fetch.fsck.${fault}=warn`),
];

/**
 * Gives git a credential for one host. Not as an argument, which everybody on the machine may read, and not in an address,
 * which git prints; redirects are not followed with it.
 */
function credentialEnvironment(host: string, { username, password }: Credential): Record<string, string> {
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.https://${host}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  };
}

function settings(list: readonly string[]): string[] {
  return list.flatMap((setting) => ['-c', setting]);
}

function textOfHost({ name, port }: HostAndPort): string {
  return port === HTTPS ? name : `${name}:${port}`;
}

function hostAt(address: string): HostAndPort {
  const { hostname, port } = new URL(address);
  return { name: hostname, port: port === '' ? HTTPS : Number(port) };
}

/** Opens the way to the public repositories of the hosts that the operator lists. */
export async function createOutsideGit(options: {
  egress: EgressConfig;
  proxy: EgressProxy;
  caFile: string | undefined;
  dataDir: string;
  /** Address of a host whose repositories users open by an account, whether or not it is among the git hosts. */
  connectedHost?: string | undefined;
}): Promise<OutsideGit> {
  const certificates = await makeCertificateFile(options);
  const trusted = certificates === undefined ? [] : [`http.sslCAInfo=${certificates}`];
  const allowedHosts = [...new Set(options.egress.gitHosts.map(textOfHost))];
  const connected = options.connectedHost === undefined ? [] : [hostAt(options.connectedHost)];
  const gitHosts = [...options.egress.gitHosts, ...connected];
  const ways = gitEgress({ ...options.egress, gitHosts }).map((host) => ({ host, text: textOfHost(host) }));
  const hostsOf = (repository: RepositoryAddress): EgressHost[] =>
    ways.filter(({ text }) => text === repository.host).map(({ host }) => host);
  const ca = certificates === undefined ? undefined : await readFile(certificates, 'utf8');
  const listings = new FairSemaphore({
    most: 4,
    perTenant: 2,
    waitingPerTenant: 8,
    what: 'look-ups of repositories',
  });

  /** Runs git with a way out to the one host of the repository. */
  async function runOutside(
    repository: RepositoryAddress,
    args: readonly string[],
    limits: GitOptions & { wireBytes: number },
    credential?: Credential,
  ): Promise<string> {
    const hosts = hostsOf(repository);
    const notes: string[] = [];
    const way = await options.proxy.open({
      hosts,
      at: 'loopback',
      limits: { bytes: limits.wireBytes, connections: 8, idleMs: 30_000 },
      onNote: (text) => notes.push(text),
    });
    const env = {
      https_proxy: way.address,
      ...(credential && credentialEnvironment(repository.host, credential)),
    };
    try {
      return (await runGit([...settings([...TRANSPORT, ...trusted]), ...args], { ...limits, env })).toString(
        'utf8',
      );
    } catch (error) {
      limits.signal?.throwIfAborted();
      throw explainGitError(error, repository, notes[0]);
    } finally {
      await way.close();
    }
  }

  /** The whole name of a tag, else of a branch. @throws AppError repository_not_found */
  async function findRef(repository: RepositoryAddress, ref: string, signal: AbortSignal): Promise<string> {
    const names = [`refs/tags/${ref}`, `refs/heads/${ref}`];
    const args = ['ls-remote', '--', `${repository.url}.git`, ...names];
    const limits = {
      signal,
      timeoutMs: LISTING_LIMIT_MS,
      maxBytes: LISTING_BYTES,
      wireBytes: 2 * LISTING_BYTES,
    };
    const lines = (await runOutside(repository, args, limits)).split('\n');
    const found = names.find((name) => lines.some((line) => line.endsWith(`\t${name}`)));
    if (found !== undefined) return found;
    throw new AppError('repository_not_found', `${repository.url} has no tag and no branch ${ref}.`);
  }

  /** Brings one ref or commit into a new bare repository. */
  async function fetchOne(
    repository: RepositoryAddress,
    refspec: string,
    gitDir: string,
    signal: AbortSignal,
    credential?: Credential,
  ): Promise<void> {
    await runGit(['init', '--bare', '--quiet', '--template=', '--', gitDir]);
    const flags = ['--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--no-auto-maintenance'];
    const place = [`${repository.url}.git`, refspec];
    const args = ['--git-dir', gitDir, ...settings(CONTENT), 'fetch', ...flags, '--', ...place];
    const limits = { signal, timeoutMs: FETCH_LIMIT_MS, wireBytes: FETCH_BYTES };
    await runOutside(repository, args, limits, credential);
  }

  return {
    allowed(url) {
      const address = readRepositoryAddress(url);
      if ('fault' in address) throw new AppError('invalid_input', address.fault);
      if (allowedHosts.includes(address.host)) return address;
      throw new AppError(
        'invalid_input',
        `Repositories of ${address.host} cannot be deployed here. Allowed are: ${allowedHosts.join(', ')}.`,
      );
    },
    async branches(repository, user) {
      const args = ['ls-remote', '--symref', '--', `${repository.url}.git`, 'HEAD', 'refs/heads/*'];
      const limits = { timeoutMs: LISTING_LIMIT_MS, maxBytes: LISTING_BYTES, wireBytes: 2 * LISTING_BYTES };
      const names = branchesInListing(
        await listings.take(user.id, () => runOutside(repository, args, limits)),
      );
      if (names.length > 0) return names;
      // A page that is no repository looks like an empty one to git.
      throw new AppError(
        'repository_not_found',
        `There is no branch at ${repository.url} that could be deployed.`,
      );
    },
    async fetch(repository, branch, gitDir, signal, credential) {
      if (!isBranchName(branch)) throw new AppError('invalid_input', 'This is not a branch name.');
      await fetchOne(repository, `+refs/heads/${branch}:refs/heads/${branch}`, gitDir, signal, credential);
    },
    async fetchRevision(repository, { ref, commit }, gitDir, signal) {
      if (!isBranchName(ref) || !/^[0-9a-f]{0,40}$/.test(commit)) {
        throw new AppError('invalid_input', 'This is not a tag, branch or commit.');
      }
      const whole = commit.length === COMMIT_LENGTH;
      const wanted = whole ? commit : await findRef(repository, ref, signal);
      await fetchOne(repository, `+${wanted}:${FETCHED}`, gitDir, signal);
      // A tag may be an object by itself.
      const found = await runGit(['--git-dir', gitDir, 'rev-parse', '--verify', `${FETCHED}^{commit}`]);
      const id = found.toString('utf8').trim();
      if (!id.startsWith(commit)) {
        throw new AppError(
          'repository_not_found',
          `${ref} of ${repository.url} is at ${id}, not at ${commit}.`,
        );
      }
      await runGit(['--git-dir', gitDir, 'update-ref', 'refs/heads/main', id]);
      return id;
    },
    lfsObjects: (repository, folder) =>
      outsideObjects({ proxy: options.proxy, hostsOf, ca }, repository, folder),
  };
}
