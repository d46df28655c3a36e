import { createHash } from 'node:crypto';
import type { GitUser } from './git-host.ts';
import { isOwner } from './names.ts';

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
