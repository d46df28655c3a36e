import { classNames } from '../../lib/class-names.ts';

/** The look of text inputs, selects and text areas. */
export function controlClass(className?: string): string {
  return classNames(
    'w-full rounded-control border border-control bg-surface px-3 text-base text-ink',
    'hover:border-ink/60 focus-visible:border-accent focus-visible:outline-offset-0',
    // A phone zooms in on controls whose text is smaller than 16 px.
    'max-sm:min-h-11 max-sm:text-lg',
    'aria-invalid:border-bad disabled:cursor-not-allowed disabled:opacity-55',
    className,
  );
}
