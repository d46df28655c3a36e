import { Link } from '@tanstack/react-router';
import { paths } from '../../../config/paths.ts';

/** A username, which is unique, as the way to all that this user has published. */
export function PublisherLink({ username }: { username: string }) {
  return (
    <Link
      to={paths.marketplace}
      search={{ by: username }}
      className="font-medium wrap-anywhere text-ink hover:underline"
    >
      <bdi>@{username}</bdi>
    </Link>
  );
}

/** Who has published a dapp, for a line of text. */
export function PublishedBy({ username }: { username: string }) {
  return (
    <span className="text-muted">
      published by <PublisherLink username={username} />
    </span>
  );
}
