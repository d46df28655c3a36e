import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '../../../components/ui/icon-button.tsx';

interface PageButtonsProps {
  /** What is paged through, such as `Items of numbers`. */
  readonly label: string;
  /** Index of the first shown, counted from 0, and of the one behind the last. */
  readonly from: number;
  readonly to: number;
  readonly of: number;
  readonly onMove: (step: -1 | 1) => void;
}

/** Which part of a long list is shown, with the way to the parts before and behind. */
export function PageButtons({ label, from, to, of, onMove }: PageButtonsProps) {
  return (
    <div role="group" aria-label={label} className="flex items-center gap-1 text-xs text-muted">
      <IconButton size="small" label="Earlier" disabled={from === 0} onClick={() => onMove(-1)}>
        <ChevronLeft className="size-3.5" aria-hidden="true" />
      </IconButton>
      <span>
        {`${(from + 1).toLocaleString('en-US')} to ${to.toLocaleString('en-US')} of ${of.toLocaleString('en-US')}`}
      </span>
      <IconButton size="small" label="Later" disabled={to >= of} onClick={() => onMove(1)}>
        <ChevronRight className="size-3.5" aria-hidden="true" />
      </IconButton>
    </div>
  );
}
