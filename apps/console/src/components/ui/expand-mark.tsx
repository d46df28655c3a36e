import { ChevronDown } from 'lucide-react';
import { classNames } from '../../lib/class-names.ts';

/** The arrow at the end of a button that opens and closes what is below it. */
export function ExpandMark({ expanded }: { expanded: boolean }) {
  return (
    <ChevronDown
      aria-hidden="true"
      className={classNames('size-4 text-muted transition-transform duration-150', expanded && 'rotate-180')}
    />
  );
}
