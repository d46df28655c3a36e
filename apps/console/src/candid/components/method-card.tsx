import type { ServiceMethod } from '@cannery/candid';
import type { IDL } from '@icp-sdk/core/candid';
import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { classNames } from '../../lib/class-names.ts';
import type { CallRecord } from '../call-record.ts';
import { emptyArgs, type GivenArgs, readArgs, switchInput } from '../form/read-args.ts';
import { ArgsForm } from './args-form.tsx';
import { ModeChip } from './mode-chip.tsx';
import { OutcomeView } from './outcome-view.tsx';
import { Signature } from './signature.tsx';

interface MethodCardProps {
  readonly method: ServiceMethod;
  readonly typeNames: ReadonlyMap<IDL.Type, string>;
  readonly startsOpen: boolean;
  /** Makes the call; never rejects, a failed call is a record too. */
  readonly onCall: (method: ServiceMethod, args: GivenArgs) => Promise<CallRecord>;
}

/** A method: its signature, and opened its inputs, its button and the outcome of the last call. */
export function MethodCard({ method, typeNames, startsOpen, onCall }: MethodCardProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const [input, setInput] = useState(() => emptyArgs(method.args));
  const [isBusy, setBusy] = useState(false);
  const [last, setLast] = useState<CallRecord>();
  const body = useId();
  const isQuery = method.mode === 'query' || method.mode === 'composite_query';

  const call = async (): Promise<void> => {
    const args = readArgs(method.args, input);
    if (!args.ok) {
      setInput(args.input);
      // The first input with a mistake takes the focus once it is marked.
      requestAnimationFrame(() =>
        document.getElementById(body)?.querySelector<HTMLElement>('[aria-invalid]')?.focus(),
      );
      return;
    }
    setBusy(true);
    setLast(await onCall(method, args));
    setBusy(false);
  };

  return (
    <article aria-label={method.name} className="min-w-0 rounded-card border border-line bg-surface">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={body}
          onClick={() => setOpen(!isOpen)}
          className="flex w-full items-start gap-3 rounded-card px-4 py-3 text-left hover:bg-ink/3"
        >
          <ChevronRight
            aria-hidden="true"
            className={classNames(
              'mt-1 size-4 shrink-0 text-muted transition-transform duration-100',
              isOpen && 'rotate-90',
            )}
          />
          <span className="flex min-w-0 flex-1 flex-col gap-1">
            <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <span className="min-w-0 font-mono text-base font-semibold break-all">{method.name}</span>
              <ModeChip mode={method.mode} />
            </span>
            <Signature text={method.signature} />
          </span>
        </button>
      </h3>
      <form
        id={body}
        hidden={!isOpen}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void call();
        }}
        className={classNames('flex-col gap-4 border-t border-line px-4 py-4 sm:pl-11', isOpen && 'flex')}
      >
        {method.docs.length > 0 && (
          <p className="max-w-prose text-sm whitespace-pre-line text-muted">{method.docs.join('\n')}</p>
        )}
        <ArgsForm method={method} typeNames={typeNames} input={input} onChange={setInput} />
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" variant="primary" busy={isBusy}>
            {isQuery ? 'Query' : 'Call'}
          </Button>
          {method.args.length > 0 && (
            <Button variant="ghost" onClick={() => setInput(switchInput(method.args, input))}>
              {input.kind === 'form' ? 'Enter as text' : 'Enter in a form'}
            </Button>
          )}
        </div>
        <div role="status" className="empty:hidden">
          {last && <OutcomeView outcome={last.outcome} durationMs={last.durationMs} />}
        </div>
      </form>
    </article>
  );
}
