import { chapterOfError } from '../../config/chapters.ts';
import { CopyButton } from './copy-button.tsx';
import { GuideLink } from './guide-link.tsx';
import { Notice } from './notice.tsx';
import { codeOf, describeError, isLost } from '../../lib/api/api-error.ts';
import { useSaysLost } from '../connection/lost-notice.tsx';

/** Why something failed, inside the dialog that asked for it; it stays, since reading it takes longer than a toast. */
export function FailureNotice({ title, error }: { title: string; error: unknown }) {
  const isSaid = useSaysLost();
  // The dialog says that itself.
  if (isSaid && isLost(error)) return null;
  const { reason, nextStep, detail } = describeError(error);
  return (
    <div role="alert">
      <Notice tone="bad" title={title}>
        <p className="wrap-anywhere">
          {reason} {nextStep}
        </p>
        <span className="mt-1 flex flex-wrap items-center gap-x-4">
          <span className="inline-flex items-center gap-1 text-muted">
            Details
            <CopyButton text={detail} label="Copy the details" />
          </span>
          <GuideLink chapter={chapterOfError(codeOf(error))} />
        </span>
      </Notice>
    </div>
  );
}
