import { createHash } from 'node:crypto';
import type { GitUser } from './git-host.ts';

/** A segment of a repository address: what GitHub allows, and nothing a file system or git reads as more than a name. */
const OWNER = /^[a-z0-9](?:[a-z0-9]|[-_.](?=[a-z0-9])){0,38}$/i;
const NAME = /^[a-z0-9_](?:[a-z0-9_]|[-.](?=[a-z0-9_-])){0,99}$/i;

/** First segments of the console's own addresses: no owner may hide them. */
const RESERVED_OWNERS = new Set([
  'api',
  'api-docs',
  'assets',
  'auth',
  'candid',
  'favicon.ico',
  'health',
  'ics',
  'login',
  'logout',
  'oidc',
  'openapi.json',
  'robots.txt',
  'static',
  'index.html',
  'docs',
  'git',
  'www',
]);

/** Names that Windows and git treat specially; a repository must be clonable everywhere. */
const RESERVED_NAMES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i;

/**
 * Where the console leads a visitor to bring repositories to the embedded git host: it answers with the page of the
 * visitor's own account. Its first segment is reserved, so it is no repository.
 */
export const CONNECT_PATH = '/git/connect';

/** Whether text may be the owner part of a repository address. */
export function isOwner(text: string): boolean {
  return OWNER.test(text) && !text.includes('..') && !RESERVED_OWNERS.has(text.toLowerCase());
}

/** Whether text may be the name part of a repository address, without `.git`. */
export function isRepositoryName(text: string): boolean {
  return NAME.test(text) && !text.includes('..') && !/\.git$/i.test(text) && !RESERVED_NAMES.test(text);
}

const REF_FORBIDDEN = /[\p{Cc}\p{Cf}\p{Z}~^:?*[\\]/u;

/** Whether text may be a branch name: the rules of git-check-ref-format, and never an option or invisible text. */
export function isBranchName(text: string): boolean {
  if (text === '' || text === '@' || text === 'HEAD' || Buffer.byteLength(text) > 240) return false;
  if (text.startsWith('-') || text.endsWith('.') || text.includes('..') || text.includes('@{')) return false;
  if (REF_FORBIDDEN.test(text) || !text.isWellFormed()) return false;
  return text.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}

/** Whether text is a full object id (SHA-1 or SHA-256). */
export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/**
 * Owner part of a user's repository addresses: the username, or where that cannot be in an address, a readable form
 * of it with a mark of the user's id. The mark's two hyphens can be in no username that is an owner itself.
 */
export function ownerOf(user: GitUser): string {
  if (isOwner(user.username)) return user.username;
  const readable = user.username
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|(?<!-)-+$/g, '')
    .slice(0, 24)
    .replace(/(?<!-)-+$/, '');
  return `${readable === '' ? 'user' : readable}--${createHash('sha256').update(user.id).digest('hex').slice(0, 10)}`;
}

/** Whether text may be the owner part of an address, a derived one included. */
export function isOwnerSegment(text: string): boolean {
  return isOwner(text) || /^[a-z0-9][a-z0-9-]{0,23}--[0-9a-f]{10}$/.test(text);
}
