import { Link } from '@tanstack/react-router';

interface RepositoryHeadingProps {
  readonly owner: string;
  readonly name: string;
  /** The page is one below that of the repository, which then is a link. */
  readonly isAbove?: boolean;
}

const linkClass = 'text-accent hover:underline';

/** Whose repository a page is of. */
export function RepositoryHeading({ owner, name, isAbove = false }: RepositoryHeadingProps) {
  return (
    <h1 className="min-w-0 text-xl font-semibold wrap-anywhere">
      <Link to="/$owner" params={{ owner }} className={linkClass}>
        {owner}
      </Link>
      <span className="text-muted"> / </span>
      {isAbove ? (
        <Link to="/$owner/$repo" params={{ owner, repo: name }} className={linkClass}>
          {name}
        </Link>
      ) : (
        name
      )}
    </h1>
  );
}
