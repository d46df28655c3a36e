import type { ReactNode } from 'react';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';

interface ProblemViewProps {
  readonly title: string;
  readonly hint: ReactNode;
  readonly children?: ReactNode;
}

/** What is shown instead of the methods while there are none to show, with the way on. */
export function ProblemView({ title, hint, children }: ProblemViewProps) {
  return (
    <Card>
      <div role="status">
        <EmptyState drawing="canisters" title={title} hint={hint} />
      </div>
      {children && <div className="-mt-6 flex flex-col items-center gap-3 px-6 pb-12">{children}</div>}
    </Card>
  );
}
