import type { EgressConfig, HostAndPort } from '../config/config.ts';
import { type EgressHost, operatorHost } from './egress-host.ts';

/** Port of https. */
const HTTPS = 443;

/** Registries of npm, and the index and the files of crates.io. */
const REGISTRIES = ['registry.npmjs.org', 'registry.yarnpkg.com', 'index.crates.io', 'static.crates.io'];

/** Hosts from which a git host serves archives and the files of releases. */
const FILE_HOSTS: Readonly<Record<string, readonly string[]>> = {
  'github.com': [
    'codeload.github.com',
    'objects.githubusercontent.com',
    'raw.githubusercontent.com',
    'release-assets.githubusercontent.com',
  ],
};

/** Where install scripts that compile find the headers of Node. */
const HEADERS = ['nodejs.org'];

function listed(hosts: readonly HostAndPort[], what: EgressHost['what'], mayBePrivate = false): EgressHost[] {
  return hosts.map((host) => ({ ...host, plain: false, mayBePrivate, what }));
}

function onHttps(names: readonly string[]): HostAndPort[] {
  return names.map((name) => ({ name, port: HTTPS }));
}

/** Hosts from which public git repositories are fetched: the operator's list, https only. */
export function gitEgress({ gitHosts, privateHosts }: EgressConfig): EgressHost[] {
  // A git server of the operator's own is named twice: among the git hosts, and among those that may be private.
  const inner = privateHosts.filter((one) =>
    gitHosts.some((git) => git.name === one.name && git.port === one.port),
  );
  return [...listed(gitHosts, 'git host'), ...listed(inner, 'git host', true)];
}

/**
 * Hosts that the installation of packages may reach: registries, git hosts and what the operator adds.
 * @param registries addresses that the operator's own npm is configured to use; they may be private
 */
export function packageEgress(config: EgressConfig, registries: readonly string[]): EgressHost[] {
  return [
    ...listed(onHttps(REGISTRIES), 'registry'),
    ...registries.map((address) => operatorHost(address, 'registry')).filter((host) => host !== null),
    ...listed(config.gitHosts, 'git host'),
    ...listed(onHttps(config.gitHosts.flatMap(({ name }) => FILE_HOSTS[name] ?? [])), 'host'),
    ...listed(onHttps(HEADERS), 'host'),
    ...listed(config.hosts, 'host'),
    ...listed(config.privateHosts, 'host', true),
  ];
}
