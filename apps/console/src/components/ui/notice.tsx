import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../lib/class-names.ts';

const looks = {
  ok: { Icon: CircleCheck, className: 'border-ok/40 bg-ok-soft', mark: 'text-ok' },
  info: { Icon: Info, className: 'border-info/40 bg-info-soft', mark: 'text-info' },
  warn: { Icon: TriangleAlert, className: 'border-warn/40 bg-warn-soft', mark: 'text-warn' },
  bad: { Icon: TriangleAlert, className: 'border-bad/40 bg-bad-soft', mark: 'text-bad' },
} as const;

interface NoticeProps {
  readonly tone: keyof typeof looks;
  readonly title: string;
  readonly children?: ReactNode;
}

/** Something to know before going on, set off from what surrounds it. */
export function Notice({ tone, title, children }: NoticeProps) {
  const { Icon, className, mark } = looks[tone];
  return (
    <div className={classNames('flex gap-2.5 rounded-card border px-3.5 py-2.5 text-sm', className)}>
      <Icon className={classNames('mt-0.5 size-4 shrink-0', mark)} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{title}</p>
        {children}
      </div>
    </div>
  );
}
