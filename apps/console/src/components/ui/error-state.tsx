import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { chapterOfError } from '../../config/chapters.ts';
import { codeOf, describeError } from '../../lib/api/api-error.ts';
import { CopyButton } from './copy-button.tsx';
import { GuideLink } from './guide-link.tsx';

interface ErrorStateProps {
  readonly title: string;
  readonly error?: unknown;
  readonly action?: ReactNode;
}

/** What happened, why if known, what to do next, and a detail to copy. */
export function ErrorState({ title, error, action }: ErrorStateProps) {
  const described = error === undefined || error === null ? undefined : describeError(error);
  return (
    <div role="alert" className="flex flex-col items-center gap-1 px-6 py-12 text-center">
      <TriangleAlert className="mb-3 size-8 text-bad" strokeWidth={1.5} aria-hidden="true" />
      <p className="text-lg font-semibold text-balance">{title}</p>
      {described && (
        <p className="max-w-lg text-sm text-muted">
          {described.reason} {described.nextStep}
        </p>
      )}
      <GuideLink chapter={chapterOfError(codeOf(error))} />
      <div className="mt-4 flex flex-wrap items-center justify-center gap-2">
        {action}
        {described && <CopyButton text={described.detail} label="Copy error details" />}
      </div>
    </div>
  );
}
