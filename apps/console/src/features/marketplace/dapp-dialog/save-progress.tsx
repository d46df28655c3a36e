import { ProgressBar } from '../../../components/ui/progress-bar.tsx';
import { partOf, sentText } from '../../../lib/browser/upload-bytes.ts';
import type { SaveStep } from './use-save-dapp.ts';

const labels = { icon: 'Uploading the icon', wasm: 'Uploading the WASM', dapp: 'Saving' } as const;

/** How far saving a dapp has come. */
export function SaveProgress({ step: { what, bytes } }: { step: SaveStep }) {
  return bytes === undefined ? (
    <ProgressBar label={labels[what]} done={undefined} />
  ) : (
    <ProgressBar label={labels[what]} done={partOf(bytes)} amount={sentText(bytes)} />
  );
}
