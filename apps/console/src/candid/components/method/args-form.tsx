import { formatType, type ServiceMethod } from '@cannery/candid';
import type { IDL } from '@icp-sdk/core/candid';
import { Code, Shuffle, Eraser } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { classNames } from '../../../lib/class-names.ts';
import { type ArgsInput, emptyArgs, randomArgs, withState, withText } from '../../form/read-args.ts';
import { RandomButton } from '../../inputs/part-tools.tsx';
import { TypeInput } from '../../inputs/type-input.tsx';
import { ArgsText } from './args-text.tsx';

interface ArgsFormProps {
  readonly method: Pick<ServiceMethod, 'args' | 'argNames' | 'argTexts'>;
  readonly typeNames: ReadonlyMap<IDL.Type, string>;
  readonly input: ArgsInput;
  readonly onChange: (next: ArgsInput) => void;
}

/** The arguments of a method: an input each, and on demand all as one Candid text that follows and leads them. */
export function ArgsForm({ method, typeNames, input, onChange }: ArgsFormProps) {
  const { args } = method;
  const [isTextOpen, setTextOpen] = useState(input.typed !== undefined);
  const text = useId();
  if (args.length === 0) return null;
  const toggleText = (): void => {
    setTextOpen(!isTextOpen);
    // A text that is out of sight no longer leads: what the form shows is what counts.
    if (isTextOpen) onChange({ ...input, typed: undefined });
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-1 gap-y-1">
        <span className="mr-auto text-xs text-muted max-sm:sr-only">
          {args.length === 1 ? '1 argument' : `${args.length} arguments`}
        </span>
        <Button size="small" variant="ghost" onClick={() => onChange(randomArgs(args))}>
          <Shuffle className="size-3.5" aria-hidden="true" />
          Random
        </Button>
        <Button size="small" variant="ghost" onClick={() => onChange(emptyArgs(args))}>
          <Eraser className="size-3.5" aria-hidden="true" />
          Clear
        </Button>
        <Button
          size="small"
          variant="ghost"
          aria-expanded={isTextOpen}
          aria-controls={text}
          onClick={toggleText}
          className={classNames(isTextOpen && 'bg-accent-soft text-accent')}
        >
          <Code className="size-3.5" aria-hidden="true" />
          As text
        </Button>
      </div>
      <div className="flex flex-col gap-5">
        <div className="flex min-w-0 flex-col gap-3">
          {args.map((type, index) => {
            const path = String(index);
            const label =
              method.argNames[index] ?? (args.length === 1 ? 'Argument' : `Argument ${index + 1}`);
            const change = (next: ArgsInput['states'][number]): void =>
              onChange(withState(input, index, next));
            return (
              <TypeInput
                // The arguments of a method are a fixed list: their place is their identity.
                key={path}
                type={type}
                state={input.states[index] ?? { kind: 'collapsed' }}
                label={label}
                typeText={method.argTexts[index] ?? formatType(type, typeNames, true)}
                path={path}
                errors={input.errors}
                tools={<RandomButton label={label} type={type} onChange={change} />}
                typeNames={typeNames}
                onChange={change}
              />
            );
          })}
        </div>
        <div id={text} hidden={!isTextOpen} className="min-w-0">
          {isTextOpen && (
            <ArgsText
              types={args}
              input={input}
              onChange={(source) => onChange(withText(args, input, source))}
            />
          )}
        </div>
      </div>
    </div>
  );
}

/** Brings the first input with a mistake into focus, in a text at the place of the mistake. */
export function focusMistake(within: HTMLElement | null): void {
  const wrong = within?.querySelector<HTMLElement>('[aria-invalid], [data-mistake]');
  if (!wrong) return;
  if (wrong.dataset['mistake'] !== undefined) {
    // A part without its own input: the button that opens it, or the choice of a variant.
    wrong.closest('fieldset')?.querySelector<HTMLElement>('button, select')?.focus();
    return;
  }
  wrong.focus();
  const place = wrong.dataset['place'];
  if (place === undefined || !(wrong instanceof HTMLTextAreaElement)) return;
  wrong.setSelectionRange(Number(place), Number(place) + 1);
}
