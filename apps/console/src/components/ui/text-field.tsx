import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { controlClass, Field, type FieldLook } from './field.tsx';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'prefix'>, FieldLook {
  /** A sign before the text that is not part of the value. */
  readonly prefix?: ReactNode;
  readonly mono?: boolean;
}

export function TextField({ label, hint, error, prefix, mono = false, className, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ control, describedBy }) => (
        <span className="relative block">
          {prefix !== undefined && (
            <span
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 left-3 flex items-center font-mono text-muted select-none"
            >
              {prefix}
            </span>
          )}
          <input
            autoComplete="off"
            {...rest}
            id={control}
            aria-invalid={error !== undefined || undefined}
            aria-describedby={describedBy}
            className={controlClass(
              classNames('h-9', mono && 'font-mono text-sm', prefix !== undefined && 'pl-8', className),
            )}
          />
        </span>
      )}
    </Field>
  );
}
