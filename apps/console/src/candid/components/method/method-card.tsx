import type { ServiceMethod } from '@cannery/candid';
import type { IDL } from '@icp-sdk/core/candid';
import { ChevronRight, Link } from 'lucide-react';
import { type KeyboardEvent, use, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { happenedInside } from '../../../lib/browser/happened-inside.ts';
import { classNames } from '../../../lib/class-names.ts';
import type { CallRecord } from '../../calls/call-record.ts';
import { type CopiedCall, isQuery } from '../../copy/copied-call.ts';
import { type ArgsInput, emptyArgs, type GivenArgs, readArgs, withText } from '../../form/read-args.ts';
import { EnteredArguments } from '../../kept/entered-arguments.ts';
import { methodHash } from '../../page-address.ts';
import { ArgsForm, focusMistake } from './args-form.tsx';
import { beginningOf } from '../../shown-texts.ts';
import { CopyCallMenu } from '../reply/copy-call-menu.tsx';
import { ModeChip, Signature } from './method-signature.tsx';
import { OutcomeView } from '../reply/outcome-view.tsx';
import { SaveCallButton } from './save-call-button.tsx';

/** What can be done with a method and its arguments. */
export interface MethodActs {
  /** Makes the call; never rejects, a failed call is a record too. */
  readonly call: (method: ServiceMethod, args: GivenArgs) => Promise<CallRecord>;
  /** The call as it is copied. */
  readonly copied: (method: ServiceMethod, values: readonly unknown[]) => CopiedCall;
  /** Keeps the call under a name; answers why it cannot, if so. */
  readonly save: (method: ServiceMethod, name: string, args: string) => string | undefined;
}

/** Characters of a name and of the comment above a method that are shown; a stranger wrote them. */
const LONGEST_NAME = 200;
const LONGEST_DOCS = 4_000;

interface MethodCardProps {
  readonly method: ServiceMethod;
  readonly typeNames: ReadonlyMap<IDL.Type, string>;
  readonly startsOpen: boolean;
  /** Comes into view and takes the focus when it appears. */
  readonly isWanted: boolean;
  /** Arguments to begin with, as Candid text. */
  readonly startsWith: string | undefined;
  readonly acts: MethodActs;
  /** Told when the card is opened. */
  readonly onOpen: () => void;
}

/** A method: its signature, and opened its inputs and buttons, and the outcome of the last call beside them where there is room. */
export function MethodCard({
  method,
  typeNames,
  startsOpen,
  isWanted,
  startsWith,
  acts,
  onOpen,
}: MethodCardProps) {
  const entered = use(EnteredArguments);
  // An upgrade may give a method of this name other arguments.
  const place = `${method.name} ${method.signature}`;
  const [isOpen, setOpen] = useState(startsOpen || entered?.has(place) === true);
  // What was entered stays when the card closes; a card never opened costs nothing.
  const [wasOpen, setWasOpen] = useState(isOpen);
  const [input, setInput] = useState(() => {
    const empty = emptyArgs(method.args);
    if (startsWith === undefined) return entered?.get(place) ?? empty;
    const filled = withText(method.args, empty, startsWith);
    // A text that fits has filled the form, which leads from here on.
    return filled.typed?.mistake ? filled : { ...filled, typed: undefined };
  });
  const [isBusy, setBusy] = useState(false);
  const [last, setLast] = useState<CallRecord>();
  const body = useId();
  const card = useRef<HTMLElement>(null);

  useEffect(() => {
    if (!isWanted) return;
    card.current?.scrollIntoView({ block: 'start' });
    card.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [isWanted]);

  const enter = (next: ArgsInput): void => {
    entered?.set(place, next);
    setInput(next);
  };

  /** What is entered; undefined when something is wrong, which is marked and takes the focus. */
  const given = (): GivenArgs | undefined => {
    const args = readArgs(method.args, input);
    if (args.ok) return args;
    setInput(args.input);
    requestAnimationFrame(() => focusMistake(card.current));
    return undefined;
  };

  const call = async (): Promise<void> => {
    if (isBusy) return;
    const args = given();
    if (args === undefined) return;
    setBusy(true);
    setLast(await acts.call(method, args));
    setBusy(false);
  };

  const callByKey = (event: KeyboardEvent): void => {
    // Not the keys of the dialog in which a call is saved.
    if (!happenedInside(event)) return;
    // Enter alone is a new line in a text of several lines.
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void call();
  };

  return (
    <article
      ref={card}
      aria-label={method.name}
      className="min-w-0 scroll-mt-4 rounded-card border border-line bg-surface"
    >
      <h3 className="flex items-start rounded-card hover:bg-ink/3">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={body}
          onClick={() => {
            setOpen(!isOpen);
            setWasOpen(true);
            onOpen();
          }}
          className="flex min-w-0 flex-1 items-start gap-3 rounded-card py-3 pr-2 pl-4 text-left"
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
              <span className="min-w-0 font-mono text-base font-semibold break-all">
                {beginningOf(method.name, LONGEST_NAME)}
              </span>
              <ModeChip mode={method.mode} />
            </span>
            <Signature text={method.signature} />
          </span>
        </button>
        <a
          href={methodHash(method.name)}
          aria-label={`Link to ${method.name}`}
          data-tip=""
          className="mt-2.5 mr-2 grid size-7 max-sm:mt-1 max-sm:size-10 shrink-0 place-items-center rounded-control text-muted hover:bg-ink/6 hover:text-ink"
        >
          <Link className="size-3.5" aria-hidden="true" />
        </a>
      </h3>
      <form
        id={body}
        hidden={!isOpen}
        noValidate
        onKeyDown={callByKey}
        onSubmit={(event) => {
          event.preventDefault();
          void call();
        }}
        className="@container border-t border-line px-4 py-4 sm:pl-11"
      >
        {wasOpen && (
          <div className="grid gap-x-6 gap-y-4 @3xl:grid-cols-2">
            <div className="flex min-w-0 flex-col gap-4">
              {method.docs.length > 0 && (
                <p className="max-w-prose text-sm whitespace-pre-line text-muted">
                  {beginningOf(method.docs.join('\n'), LONGEST_DOCS)}
                </p>
              )}
              <ArgsForm method={method} typeNames={typeNames} input={input} onChange={enter} />
              <div className="flex flex-wrap items-center gap-x-1 gap-y-2">
                <Button type="submit" variant="primary" busy={isBusy} title="Ctrl+Enter" className="mr-2">
                  {isQuery(method) ? 'Query' : 'Call'}
                </Button>
                <CopyCallMenu
                  call={() => {
                    const args = given();
                    return args && acts.copied(method, args.values);
                  }}
                />
                <SaveCallButton
                  args={() => given()?.text}
                  onSave={(name, args) => acts.save(method, name, args)}
                />
              </div>
            </div>
            <div className="min-w-0">
              <div role="status" className="empty:hidden">
                {last && <OutcomeView key={last.id} call={last} types={method.results} />}
              </div>
              {!last && (
                <p className="hidden rounded-control border border-dashed border-line px-3 py-2.5 text-sm text-muted @3xl:block">
                  The reply appears here.
                </p>
              )}
            </div>
          </div>
        )}
      </form>
    </article>
  );
}
