import { Button } from '../../../components/ui/button.tsx';
import { Notice } from '../../../components/ui/notice.tsx';
import { ProgressBar } from '../../../components/ui/progress-bar.tsx';
import { describeError } from '../../../lib/api/describe-error.ts';
import { partOf, sentText } from '../../../lib/browser/upload-bytes.ts';
import type { UploadPhase } from './use-module-upload.ts';

/** How far an upload has come, and what went wrong with it. */
export function UploadState({ state, onRetry }: { state: UploadPhase; onRetry: () => void }) {
  switch (state.phase) {
    case 'none':
      return null;
    case 'uploading':
      return <ProgressBar label="Uploading" done={partOf(state.bytes)} amount={sentText(state.bytes)} />;
    case 'compiling':
      return <ProgressBar label="Getting the sample module" done={undefined} />;
    case 'inspecting':
      return <ProgressBar label="Checking the module" done={undefined} />;
    case 'failed': {
      const { reason, nextStep } = describeError(state.error);
      return (
        <Notice tone="bad" title="The file was not uploaded">
          <p className="wrap-anywhere">
            {reason} {nextStep}
          </p>
          <Button size="small" className="mt-2" onClick={onRetry}>
            Try again
          </Button>
        </Notice>
      );
    }
    case 'ready':
      if (state.problem === undefined) return null;
      return (
        <Notice tone="info" title="The module could not be checked">
          <p className="wrap-anywhere text-muted">
            {describeError(state.problem).reason} It can be installed anyway.
          </p>
        </Notice>
      );
  }
}
