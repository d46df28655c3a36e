import { Link } from '@tanstack/react-router';
import { classNames } from '../../../lib/class-names.ts';
import { paths } from '../../../config/paths.ts';

const chipClass =
  'inline-flex h-5 max-w-40 items-center rounded-full border border-line bg-sunken px-2 text-xs text-muted max-sm:h-7';

interface TagChipsProps {
  readonly tags: readonly string[];
  /** How many are shown where there is little room; the rest is named by how many it is. */
  readonly most?: number;
}

/** Tags of a canister; each leads to the canisters that have it. */
export function TagChips({ tags, most = tags.length }: TagChipsProps) {
  if (tags.length === 0) return null;
  const rest = tags.slice(most);
  return (
    <ul aria-label="Tags" className="flex min-w-0 flex-wrap gap-1">
      {tags.slice(0, most).map((tag) => (
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
      {rest.length > 0 && (
        <li title={rest.join(', ')} className="flex">
          <span className={chipClass}>+{rest.length}</span>
        </li>
      )}
    </ul>
  );
}
