import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { buttonClass, type ButtonSize, type ButtonVariant } from './button-class.ts';
import { Spinner } from './spinner.tsx';

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
