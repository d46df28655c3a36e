/** What a repository address names at a git host: host, port and path are checked, the address is made of them. */
export interface RepositoryAddress {
  /** Name of the host, with its port where the address has one. */
  readonly host: string;
  /** Everything between host and name: an account, or a group with its subgroups. */
  readonly owner: string;
  readonly name: string;
  /** Address of the repository's page; git's own address has '.git' behind it. */
  readonly url: string;
}

/** Characters of an address; the longest of a real host are near 300. */
const ADDRESS_LIMIT = 500;
/** Groups within groups: GitLab allows 20. */
const DEPTH_LIMIT = 21;

const EXAMPLE = 'It looks like https://github.com/owner/repository.';
/** Visible ASCII; a backslash is a slash to some readers. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/;
/** A host by its name: no IP address, no dot at its end, no name outside ASCII. */
const HOST =
  /^(?=.{1,253}(?::|$))(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?(?::[1-9]\d{0,4})?$/;
const SEGMENT = /^[\w~][\w.~+-]{0,99}$/;
/** Names such as `.github`. */
const DOT_SEGMENT = /^\.[\w][\w.-]{0,98}$/;

/** Hosts whose repositories have exactly an owner and a name: what follows in an address is a page of them. */
const FLAT_HOSTS: ReadonlySet<string> = new Set(['github.com', 'bitbucket.org', 'codeberg.org']);

/** The segments that name the repository; the others lead to a page of it. */
function repositorySegments(host: string, segments: readonly string[]): readonly string[] {
  if (FLAT_HOSTS.has(host)) return segments.slice(0, 2);
  const marked = segments.findIndex((segment, index) => index > 0 && segment.toLowerCase().endsWith('.git'));
  const page = segments.findIndex((segment, index) => index > 1 && segment === '-');
  const ends = [marked + 1, page].filter((end) => end > 0);
  return segments.slice(0, Math.min(segments.length, ...ends));
}

function isSegment(text: string): boolean {
  return (SEGMENT.test(text) || DOT_SEGMENT.test(text)) && !text.includes('..');
}

/**
 * Reads the https address of a repository at a git host.
 * @returns the repository, or `fault`: a sentence that says what is wrong with the address
 */
export function readRepositoryAddress(text: string): RepositoryAddress | { readonly fault: string } {
  if (text.length > ADDRESS_LIMIT) {
    return { fault: `The address is longer than ${ADDRESS_LIMIT} characters. ${EXAMPLE}` };
  }
  const [, scheme, authority, rest] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#\\]*)([^?#]*)/i.exec(text) ?? [];
  if (!PLAIN.test(text) || scheme === undefined || authority === undefined || rest === undefined) {
    return { fault: `This is not the address of a repository. ${EXAMPLE}` };
  }
  if (scheme.toLowerCase() !== 'https')
    return { fault: `Only addresses with https are accepted. ${EXAMPLE}` };
  if (authority.includes('@')) return { fault: 'Leave user name and password out of the address.' };
  const host = authority.toLowerCase();
  if (!HOST.test(host)) return { fault: `'${authority}' is not the name of a git host. ${EXAMPLE}` };
  const segments = rest.replace(/\/$/, '').split('/').slice(1);
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    return { fault: `'${rest}' is not the path of a repository. ${EXAMPLE}` };
  }
  const own = repositorySegments(host, segments);
  const name = own.at(-1)?.replace(/\.git$/i, '') ?? '';
  const path = [...own.slice(0, -1), name];
  if (path.length < 2) return { fault: `The address names no owner and repository. ${EXAMPLE}` };
  if (path.length > DEPTH_LIMIT || !path.every(isSegment)) {
    return { fault: `'${rest}' is not the path of a repository. ${EXAMPLE}` };
  }
  return { host, owner: path.slice(0, -1).join('/'), name, url: `https://${host}/${path.join('/')}` };
}
