import { classNames } from '../../lib/class-names.ts';
import { cutMiddle } from '../../lib/cut-middle.ts';
import { CopyButton } from './copy-button.tsx';

interface IdTextProps {
  readonly id: string;
  /** What the id is of, such as 'canister id'; names the copy button. */
  readonly of: string;
  /** Cuts the middle out where room is short; the title keeps the whole. */
  readonly short?: boolean;
  readonly className?: string;
}

/** An id or hash in mono type, with a button that copies it whole. */
export function IdText({ id, of, short = false, className }: IdTextProps) {
  return (
    <span className="inline-flex max-w-full items-center gap-1 align-bottom">
      <span
        title={id}
        className={classNames(
          'min-w-0 font-mono text-sm',
          short ? 'whitespace-nowrap' : 'break-all',
          className,
        )}
      >
        {short ? cutMiddle(id, 5, 3) : id}
      </span>
      <CopyButton text={id} label={`Copy ${of}`} />
    </span>
  );
}
