import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { Notice } from '../../../components/ui/notice.tsx';
import { describeError } from '../../../lib/describe-error.ts';

/** Why an installation failed; it stays until the next attempt, since reading it takes longer than a toast. */
export function InstallFailure({ error }: { error: unknown }) {
  const { reason, nextStep, detail } = describeError(error);
  return (
    <div role="alert">
      <Notice tone="bad" title="The module was not installed">
        <p className="wrap-anywhere">
          {reason} {nextStep}
        </p>
        <span className="mt-1 inline-flex items-center gap-1 text-muted">
          Details
          <CopyButton text={detail} label="Copy the details" />
        </span>
      </Notice>
    </div>
  );
}
