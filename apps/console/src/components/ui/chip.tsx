import type { ReactNode } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { Spinner } from './spinner.tsx';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'neutral';

const tones: Record<Tone, string> = {
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
  neutral: 'bg-sunken text-muted',
};

interface ChipProps {
  readonly tone: Tone;
  /** Shows a spinner instead of the dot, so that the width stays. */
  readonly busy?: boolean;
  readonly children?: ReactNode;
}

/** A state as dot and word; the colour alone never carries it. */
export function Chip({ tone, busy = false, children }: ChipProps) {
  return (
    <span
      data-tone={tone}
      className={classNames(
        'inline-flex h-6 items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      <span className="grid size-3 place-items-center">
        {busy ? (
          <Spinner className="size-3" label={children ? undefined : 'In progress'} />
        ) : (
          <span className="size-1.5 rounded-full bg-current" />
        )}
      </span>
      {children}
    </span>
  );
}
