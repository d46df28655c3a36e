import { classNames } from '../../lib/class-names.ts';
import { cutMiddle } from '../../lib/text/formats.ts';
import { CopyButton } from './copy-button.tsx';

interface IdTextProps {
  readonly id: string;
  /** What the id is of, such as 'canister id'; names the copy button. */
  readonly of: string;
  /** Cuts the middle out, always or as far as room is short; the title keeps the whole. */
  readonly short?: boolean | 'to-fit';
  readonly className?: string;
}

/** Characters at the end that stay, whatever the room. */
const END = 6;

function Shown({ id, short }: Pick<IdTextProps, 'id' | 'short'>) {
  if (short !== 'to-fit') return short ? cutMiddle(id, 5, 3) : id;
  return (
    <>
      <span className="truncate">{id.slice(0, -END)}</span>
      <span className="shrink-0">{id.slice(-END)}</span>
    </>
  );
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
          short === 'to-fit' && 'flex',
          className,
        )}
      >
        <Shown id={id} short={short} />
      </span>
      <CopyButton text={id} label={`Copy ${of}`} />
    </span>
  );
}
