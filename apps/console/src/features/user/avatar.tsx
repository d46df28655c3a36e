import type { User } from '@cannery/contract';
import { useState } from 'react';
import { classNames } from '../../lib/class-names.ts';
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

/** The user's picture, or initials while there is none. */
export function Avatar({ user, className }: { user: User; className?: string }) {
  const [broken, setBroken] = useState(false);
  const box = classNames('shrink-0 rounded-full', className ?? 'size-8 text-xs');
  if (user.avatar === null || user.avatar === '' || broken) {
    return (
      <span
        aria-hidden="true"
        className={classNames('grid place-items-center bg-accent-soft font-semibold text-accent', box)}
      >
        {initials(user)}
      </span>
    );
  }
  return (
    <img
      src={user.avatar}
      alt=""
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
      className={classNames('object-cover', box)}
    />
  );
}
