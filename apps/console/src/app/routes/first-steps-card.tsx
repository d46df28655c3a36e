import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { paths } from '../../config/paths.ts';
import { classNames } from '../../lib/class-names.ts';

interface FirstStepsCardProps {
  readonly hasCanister: boolean;
  readonly hasDeploy: boolean;
  readonly hasOpenedCandid: boolean;
}

function Step({
  done,
  number,
  title,
  children,
}: {
  done: boolean;
  number: number;
  title: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className="flex gap-3.5 border-t border-line px-5 py-3.5">
      <span
        className={classNames(
          'mt-px grid size-5 shrink-0 place-items-center rounded-full text-xs font-semibold',
          done ? 'bg-ok-soft text-ok' : 'border border-control text-muted',
        )}
      >
        {done ? <Check className="size-3" strokeWidth={3} role="img" aria-label="Done" /> : number}
      </span>
      <div className="min-w-0">
        <p className={classNames('font-medium', done && 'text-muted line-through')}>{title}</p>
        <p className="text-sm text-pretty text-muted">{children}</p>
      </div>
    </li>
  );
}

const linkClass = 'text-accent underline underline-offset-2';

/** The three steps that show a new user round. */
export function FirstStepsCard({ hasCanister, hasDeploy, hasOpenedCandid }: FirstStepsCardProps) {
  return (
    <Card className="animate-entrance">
      <CardHeader title="First steps" />
      <ol>
        <Step done={hasCanister} number={1} title="Create a canister">
          Name one on the{' '}
          <Link to={paths.canisters} className={linkClass}>
            Canisters
          </Link>{' '}
          page; it starts empty and running.
        </Step>
        <Step done={hasDeploy} number={2} title="Deploy a template">
          Start with a{' '}
          <Link
            to={paths.deployChoice}
            search={{ type: 'STATIC_SITE', from: 'template' }}
            className={linkClass}
          >
            static website
          </Link>{' '}
          or a{' '}
          <Link to={paths.deployChoice} search={{ type: 'MOTOKO', from: 'template' }} className={linkClass}>
            Motoko smart contract
          </Link>
          .
        </Step>
        <Step done={hasOpenedCandid} number={3} title="Open its Candid page">
          On a canister's page, 'View in Candid UI' lists its methods and calls them.
        </Step>
      </ol>
    </Card>
  );
}
