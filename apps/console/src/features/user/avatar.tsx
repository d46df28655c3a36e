import type { User } from '@cannery/contract';
import { useState } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { initials } from './user-name.ts';

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
