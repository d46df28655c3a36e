import type { User } from '@cannery/contract';
import { NOT_AVAILABLE } from '../../lib/text/formats.ts';

/** How the console addresses a user: the name, or @username without one, or N/A without both. */
export function displayName(user: Pick<User, 'name' | 'username'>): string {
  const name = user.name?.trim() ?? '';
  return name !== '' ? name : user.username ? `@${user.username}` : NOT_AVAILABLE;
}

/** The one or two letters shown for a missing avatar. */
export function initials(user: Pick<User, 'name' | 'username'>): string {
  const words = (user.name?.trim() || user.username || '?').split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  );
  return letters.join('').toUpperCase();
}
