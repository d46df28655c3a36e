import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { Spinner } from './spinner.tsx';

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'small' | 'medium';

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border border-transparent',
  secondary: 'bg-surface text-ink border border-control/60 hover:border-control hover:bg-sunken',
  ghost: 'text-ink border border-transparent hover:bg-ink/6',
  danger: 'bg-bad text-on-bad hover:bg-bad-strong border border-transparent',
};

const sizes: Record<ButtonSize, string> = {
  small: 'h-8 px-3 text-sm gap-1.5',
  medium: 'h-9 px-4 text-base gap-2',
};

/** The look of a button, also for links that act like one. */
export function buttonClass(
  look: { variant?: ButtonVariant; size?: ButtonSize; className?: string } = {},
): string {
  const { variant = 'secondary', size = 'medium', className } = look;
  return classNames(
    'relative inline-flex shrink-0 items-center justify-center rounded-control font-medium whitespace-nowrap select-none',
    'transition-colors duration-100 active:translate-y-px',
    'max-sm:min-h-11 disabled:cursor-not-allowed disabled:opacity-55 disabled:active:translate-y-0',
    variants[variant],
    sizes[size],
    className,
  );
}

interface ButtonProps extends ComponentProps<'button'> {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  /** Shows a spinner over the label, so that the width stays, and disables the button. */
  readonly busy?: boolean;
}

export function Button({ variant, size, busy = false, disabled, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={buttonClass({ variant, size, className })}
    >
      {busy && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner label="Working" />
        </span>
      )}
      <span className={classNames('inline-flex items-center gap-[inherit]', busy && 'opacity-0')}>
        {children}
      </span>
    </button>
  );
}
