import type { User } from '@cannery/contract';

/** How the console addresses a user: the name, or @username without one. */
export function displayName(user: Pick<User, 'name' | 'username'>): string {
  return user.name.trim() === '' ? `@${user.username}` : user.name;
}

/** The one or two letters that stand in for a missing avatar. */
export function initials(user: Pick<User, 'name' | 'username'>): string {
  const words = (user.name.trim() || user.username).split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  );
  return letters.join('').toUpperCase();
}
