import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import type { Caller } from '../caller/use-caller.ts';
import { Segments } from './segments.tsx';

const WAYS = [
  { value: 'anonymous', label: 'Anonymous' },
  { value: 'browser', label: 'This browser' },
] as const;

const QUESTIONS = {
  renew: {
    title: 'Make a new identity?',
    description:
      'The key of this browser is replaced by another one. Canisters that know the old principal will not know you any more, and nobody can bring it back.',
    button: 'Make a new one',
  },
  forget: {
    title: 'Forget this identity?',
    description:
      'The key is deleted from this browser. Canisters that know its principal will not know you any more, and nobody can bring it back.',
    button: 'Forget it',
  },
} as const;

interface CallerPickerProps {
  readonly caller: Caller;
  /** Whether the caller is a controller of the canister. */
  readonly isController: boolean;
}

/** As whom the page calls: anonymous, or with an identity of this browser that can be renewed and forgotten. */
export function CallerPicker({ caller, isController }: CallerPickerProps) {
  const [question, setQuestion] = useState<keyof typeof QUESTIONS>();
  const [asked, setAsked] = useState<keyof typeof QUESTIONS>('renew');
  const ask = (next: keyof typeof QUESTIONS): void => {
    setAsked(next);
    setQuestion(next);
  };
  const answer = async (): Promise<void> => {
    setQuestion(undefined);
    await caller[asked]();
  };
  const { title, description, button } = QUESTIONS[asked];
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-h-8 flex-wrap items-center gap-2">
        <Segments
          legend="Calls as"
          options={WAYS}
          value={caller.principal === undefined ? 'anonymous' : 'browser'}
          onChange={(way) => (way === 'browser' ? void caller.beMyself() : caller.beAnonymous())}
        />
        {caller.principal !== undefined && (
          <>
            <IdText id={caller.principal} of="your principal" short />
            {isController && <Chip tone="ok">Controller</Chip>}
            <span className="flex gap-1">
              <Button size="small" variant="ghost" onClick={() => ask('renew')}>
                New
              </Button>
              <Button size="small" variant="ghost" onClick={() => ask('forget')}>
                Forget
              </Button>
            </span>
          </>
        )}
      </div>
      {caller.problem !== undefined && (
        <p role="alert" className="max-w-prose text-sm text-bad">
          {caller.problem}
        </p>
      )}
      <Dialog
        open={question !== undefined}
        onOpenChange={(open) => {
          if (!open) setQuestion(undefined);
        }}
        title={title}
        description={description}
        onSubmit={() => void answer()}
        footer={
          <>
            <Button type="submit" variant="danger">
              {button}
            </Button>
            <Button onClick={() => setQuestion(undefined)}>Cancel</Button>
          </>
        }
      />
    </div>
  );
}
