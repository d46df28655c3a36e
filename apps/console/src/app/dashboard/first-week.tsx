import { type FirstStepName, firstStepNames } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { CircleCheck, X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Card } from '../../components/ui/card.tsx';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { paths, quickStart } from '../../config/paths.ts';
import { isListed, type useFirstSteps } from '../../features/account/first-steps.ts';
import { classNames } from '../../lib/class-names.ts';
import { ago } from '../../lib/text/formats.ts';

interface FirstWeekProps {
  readonly steps: ReturnType<typeof useFirstSteps>;
  /** The canister that is called, and the deploy that goes back; undefined while there is none. */
  readonly canister: string | undefined;
  readonly deploy: string | undefined;
}

interface Step {
  readonly title: string;
  readonly hint: string;
  /** Where the guide tells how: a chapter, and its heading. */
  readonly guide: readonly [page: string, hash: string];
  readonly action: (owned: Pick<FirstWeekProps, 'canister' | 'deploy'>) => ReactNode;
}

const linkClass = 'inline-flex items-center py-0.5 text-sm text-accent hover:underline max-sm:py-2';

const steps: Readonly<Record<FirstStepName, Step>> = {
  create: {
    title: 'Create a canister',
    hint: 'By itself, or by a deploy.',
    guide: ['first-canister', 'create-it'],
    action: () => (
      <Link to={paths.canisters} className={linkClass}>
        Canisters
      </Link>
    ),
  },
  call: {
    title: 'Call it',
    hint: 'On its tab Call, or its Candid page.',
    guide: ['first-canister', 'call-it'],
    action: ({ canister: id }) =>
      id !== undefined && (
        <Link to={paths.canister} params={{ id }} search={{ tab: 'call' }} className={linkClass}>
          Its methods
        </Link>
      ),
  },
  push: {
    title: 'Push a repository',
    hint: 'Every push can deploy by itself.',
    guide: ['first-site', 'from-your-own-project'],
    action: () => (
      <Link to={paths.deployChoice} search={{ type: 'STATIC_SITE', from: 'push' }} className={linkClass}>
        Address and token
      </Link>
    ),
  },
  roll_back: {
    title: 'Roll a deploy back',
    hint: 'In a press, and undone in another.',
    guide: ['whole-project', 'go-back'],
    action: ({ deploy: id }) =>
      id !== undefined && (
        <Link to={paths.deploy} params={{ id }} className={linkClass}>
          Its runs
        </Link>
      ),
  },
};

/** The first steps with what is done of them; nothing once all is done, or when it was put away. */
export function FirstWeek({
  steps: { query, dismiss, isDismissing },
  isAlone = false,
  ...owned
}: FirstWeekProps & {
  /** Whether nothing stands above it in its card. */
  readonly isAlone?: boolean;
}) {
  const heading = useId();
  const { data } = query;
  if (!isListed(data)) return null;
  const doneAt = new Map(data.done.map(({ step, at }) => [step, at]));
  const count = firstStepNames.filter((name) => doneAt.has(name)).length;
  return (
    <section aria-labelledby={heading} className={isAlone ? undefined : 'mt-6 border-t border-line pt-4'}>
      <div className="flex items-center gap-3">
        <h2 id={heading} className="text-lg font-semibold">
          Your first week
        </h2>
        <span className="text-sm text-muted">
          {count} of {firstStepNames.length} done
        </span>
        <IconButton
          size="small"
          label="Put the first steps away"
          className="-mr-1.5 ml-auto"
          disabled={isDismissing}
          onClick={() => dismiss()}
        >
          <X className="size-4" />
        </IconButton>
      </div>
      <ol
        aria-label="First steps"
        className="mt-3 grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-4"
      >
        {firstStepNames.map((name, place) => {
          const at = doneAt.get(name);
          const { title, hint, guide, action } = steps[name];
          return (
            <li key={name} className="flex min-w-0 gap-2.5">
              {at === undefined ? (
                <span
                  aria-hidden="true"
                  className="mt-0.5 grid size-5 shrink-0 place-items-center rounded-full border border-control text-xs text-muted"
                >
                  {place + 1}
                </span>
              ) : (
                <CircleCheck className="mt-0.5 size-5 shrink-0 text-ok" aria-hidden="true" />
              )}
              <div className="min-w-0">
                <p className={classNames('font-medium', at !== undefined && 'text-muted')}>{title}</p>
                <p className="text-sm text-muted">{at === undefined ? hint : `Done ${ago(at)}`}</p>
                {at === undefined && (
                  <p className="flex flex-wrap gap-x-4">
                    {action(owned)}
                    <Link
                      to={paths.documentationPage}
                      params={{ section: quickStart.section, page: guide[0] }}
                      hash={guide[1]}
                      className={linkClass}
                    >
                      <span className="sr-only">{title}: </span>How
                    </Link>
                  </p>
                )}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The same in a card. */
export function FirstWeekCard(props: FirstWeekProps) {
  if (!isListed(props.steps.query.data)) return null;
  return (
    <Card className="animate-entrance px-5 py-4">
      <FirstWeek {...props} isAlone />
    </Card>
  );
}
