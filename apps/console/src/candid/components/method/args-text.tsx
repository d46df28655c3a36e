import type { IDL } from '@icp-sdk/core/candid';
import { useId, useMemo } from 'react';
import { controlClass } from '../../../components/ui/field.tsx';
import { hasLongFile, placeIn } from '../../form/args-text.ts';
import { type ArgsInput, textOfArgs } from '../../form/read-args.ts';

const MAX_ROWS = 24;

interface ArgsTextProps {
  readonly types: readonly IDL.Type[];
  readonly input: ArgsInput;
  readonly onChange: (source: string) => void;
}

/** The arguments as one Candid text, in step with the form; a mistake is shown at its place. */
export function ArgsText({ types, input, onChange }: ArgsTextProps) {
  const control = useId();
  const note = useId();
  const isLong = useMemo(() => input.typed === undefined && hasLongFile(input.states), [input]);
  const text = useMemo(() => (isLong ? '' : textOfArgs(types, input)), [types, input, isLong]);
  if (isLong) {
    return (
      <p className="text-sm text-muted">
        A chosen file is too long to be shown as text. It is sent all the same.
      </p>
    );
  }
  const mistake = input.typed?.mistake;
  const place = mistake?.at && placeIn(text, mistake.at);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={control} className="flex min-h-7 items-center text-sm font-medium">
        Arguments as Candid text
      </label>
      <textarea
        id={control}
        value={text}
        rows={Math.min(MAX_ROWS, Math.max(3, text.split('\n').length))}
        spellCheck={false}
        aria-invalid={mistake !== undefined || undefined}
        aria-describedby={note}
        data-place={place?.offset}
        onChange={(event) => onChange(event.target.value)}
        className={controlClass('py-2 font-mono text-sm')}
      />
      <div id={note} className="text-sm">
        {mistake === undefined ? (
          <p className="text-muted">
            {input.typed === undefined
              ? 'Follows the form; _ stands for what is missing.'
              : 'The form follows the text.'}
          </p>
        ) : (
          <>
            <p className="wrap-anywhere text-bad">{mistake.message}</p>
            {place && (
              <pre className="mt-1 overflow-x-auto rounded-control bg-sunken px-3 py-1.5 font-mono text-xs text-muted">
                {place.before}
                <mark className="rounded-xs bg-bad-soft font-semibold text-bad underline decoration-wavy underline-offset-4">
                  {place.at}
                </mark>
                {place.behind}
              </pre>
            )}
          </>
        )}
      </div>
    </div>
  );
}
