import { Link } from '@tanstack/react-router';
import { classNames } from '../../../lib/class-names.ts';
import { paths } from '../../../config/paths.ts';

const chipClass =
  'inline-flex h-5 max-w-40 items-center rounded-full border border-line bg-sunken px-2 text-xs text-muted max-sm:h-7';

/** A tag as a mark. */
export function TagMark({ tag }: { tag: string }) {
  return (
    <span title={tag} className={chipClass}>
      <span className="truncate">{tag}</span>
    </span>
  );
}

/** Tags of a canister; each leads to the canisters that have it. */
export function TagChips({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className="flex min-w-0 flex-wrap gap-1">
      {tags.map((tag) => (
        <li key={tag} className="flex min-w-0">
          <Link
            to={paths.canisters}
            search={{ tag }}
            title={`Canisters with the tag ${tag}`}
            className={classNames(
              chipClass,
              'transition-colors duration-100 hover:border-control hover:text-ink',
            )}
          >
            <span className="truncate">{tag}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
