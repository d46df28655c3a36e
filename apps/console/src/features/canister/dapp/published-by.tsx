import { Link } from '@tanstack/react-router';
import { paths } from '../../../config/paths.ts';

/** Who has published a dapp: a username is unique, and cannot be a part of the dapp's name, which stands apart from it. */
export function PublishedBy({ username }: { username: string }) {
  return (
    <span className="text-muted">
      published by{' '}
      <Link
        to={paths.marketplace}
        search={{ by: username }}
        className="font-medium wrap-anywhere text-ink hover:underline"
      >
        <bdi>@{username}</bdi>
      </Link>
    </span>
  );
}
