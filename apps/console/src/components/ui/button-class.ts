import { classNames } from '../../lib/class-names.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
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
