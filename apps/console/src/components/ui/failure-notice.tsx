import { chapterOfError } from '../../config/chapters.ts';
import { CopyButton } from './copy-button.tsx';
import { GuideLink } from './guide-link.tsx';
import { Notice } from './notice.tsx';
import { codeOf, describeError, isLost } from '../../lib/api/api-error.ts';
import { useSaysLost } from '../connection/lost-notice.tsx';

interface FailureNoticeProps {
  readonly title: string;
  readonly error: unknown;
  /** What is said of it, where that is not the message of the error. */
  readonly reason?: string | undefined;
  /** Whether a toast has said it aloud, so that it is not announced twice. */
  readonly isTold?: boolean;
}

/** Why something failed, inside the dialog that asked for it; it stays, since reading it takes longer than a toast. */
export function FailureNotice({ title, error, reason, isTold = false }: FailureNoticeProps) {
  const isSaid = useSaysLost();
  // The dialog says that itself.
  if (isSaid && isLost(error)) return null;
  const described = describeError(error);
  return (
    <div role={isTold ? undefined : 'alert'}>
      <Notice tone="bad" title={title}>
        <p className="wrap-anywhere">
          {reason ?? described.reason} {described.nextStep}
        </p>
        <span className="mt-1 flex flex-wrap items-center gap-x-4">
          <span className="inline-flex items-center gap-1 text-muted">
            Details
            <CopyButton text={described.detail} label="Copy the details" />
          </span>
          <GuideLink chapter={chapterOfError(codeOf(error))} />
        </span>
      </Notice>
    </div>
  );
}
