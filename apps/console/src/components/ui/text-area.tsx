import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { controlClass, Field, type FieldLook } from './field.tsx';

interface TextAreaProps extends ComponentProps<'textarea'>, FieldLook {
  readonly mono?: boolean;
}

export function TextArea({ label, hint, error, mono = false, className, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ control, describedBy }) => (
        <textarea
          rows={3}
          spellCheck={false}
          {...rest}
          id={control}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={describedBy}
          className={controlClass(classNames('py-2', mono && 'font-mono text-sm', className))}
        />
      )}
    </Field>
  );
}
