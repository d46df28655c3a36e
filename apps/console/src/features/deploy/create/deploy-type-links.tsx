import { type DeployType, deployTypes } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { paths } from '../../../config/paths.ts';
import { classNames } from '../../../lib/class-names.ts';
import { deployTypeChoice } from '../../../lib/text/deploy-type-text.ts';

const look = (isCurrent: boolean): string =>
  classNames(
    'rounded-control border px-3 py-1.5 text-sm max-sm:flex max-sm:min-h-11 max-sm:items-center',
    isCurrent
      ? 'border-accent bg-accent/10 font-medium text-ink'
      : 'border-line bg-surface text-muted hover:border-control hover:text-ink',
  );

/** What can be created, the current choice marked. */
export function DeployTypeLinks({ current }: { current: DeployType }) {
  return (
    <nav aria-label="What to create" className="flex flex-wrap gap-2">
      {deployTypes.map((type) => (
        <Link
          key={type}
          to={paths.deployChoice}
          search={(before) => ({ ...before, type })}
          aria-current={type === current ? 'page' : undefined}
          className={look(type === current)}
        >
          {deployTypeChoice(type)}
        </Link>
      ))}
    </nav>
  );
}

/** The same choice for the repository of the form, which keeps what was entered. */
export function DraftTypeLinks({ current }: { current: DeployType }) {
  return (
    <nav aria-label="What to create" className="flex flex-wrap gap-2">
      {deployTypes.map((type) => (
        <Link
          key={type}
          to={paths.deployNew}
          search={{ deploy_type: type }}
          state
          replace
          resetScroll={false}
          aria-current={type === current ? 'page' : undefined}
          className={look(type === current)}
        >
          {deployTypeChoice(type)}
        </Link>
      ))}
    </nav>
  );
}
