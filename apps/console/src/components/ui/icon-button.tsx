import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title'> {
  /** What the button does; its accessible name and its tip. */
  readonly label: string;
  readonly size?: 'small' | 'medium';
}

export function IconButton({ label, size = 'medium', className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      data-tip=""
      className={classNames(
        'inline-grid shrink-0 place-items-center rounded-control text-muted transition-colors duration-100',
        'hover:bg-ink/6 hover:text-ink disabled:cursor-not-allowed disabled:opacity-45',
        size === 'small' ? 'size-7 max-sm:size-10' : 'size-9 max-sm:size-11',
        className,
      )}
    />
  );
}
