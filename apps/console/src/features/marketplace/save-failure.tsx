import { CopyButton } from '../../components/ui/copy-button.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { describeError } from '../../lib/describe-error.ts';

/** Why something was not saved, inside the dialog that asked for it. */
export function SaveFailure({ title, error }: { title: string; error: unknown }) {
  const { reason, nextStep, detail } = describeError(error);
  return (
    <div role="alert">
      <Notice tone="bad" title={title}>
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
