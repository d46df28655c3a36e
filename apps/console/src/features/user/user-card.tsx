import type { User } from '@cannery/contract';
import { MapPin } from 'lucide-react';
import { NOT_AVAILABLE } from '../../lib/text/formats.ts';
import { Avatar } from './avatar.tsx';
import { displayName } from './user-name.ts';

/** Who is signed in. */
export function UserCard({ user }: { user: User }) {
  return (
    <div className="flex items-center gap-4">
      <Avatar user={user} className="size-16 text-xl" />
      <div className="min-w-0">
        <p className="text-xl font-semibold wrap-anywhere">{displayName(user)}</p>
        <p className="text-muted wrap-anywhere">{user.username ? `@${user.username}` : NOT_AVAILABLE}</p>
        {user.location && (
          <p className="mt-1 flex items-center gap-1 text-sm text-muted">
            <MapPin className="size-3.5" aria-hidden="true" />
            {user.location}
          </p>
        )}
      </div>
    </div>
  );
}
