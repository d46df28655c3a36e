import { useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { IdText } from '../../../components/ui/id-text.tsx';
import type { Caller, CallerWay } from '../../caller/use-caller.ts';
import { KeyDialog } from './key-dialog.tsx';
import { Segments } from './segments.tsx';

const WAYS: readonly { readonly value: CallerWay; readonly label: string }[] = [
  { value: 'anonymous', label: 'Anonymous' },
  { value: 'browser', label: 'This browser' },
  { value: 'key', label: 'Your key' },
  { value: 'console', label: 'Controller' },
];

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

/**
 * As whom the page calls: anonymous, with an identity of this browser that can be renewed and forgotten, with an imported
 * key, or as the console where it can call.
 */
export function CallerPicker({ caller, isController }: CallerPickerProps) {
  const [question, setQuestion] = useState<keyof typeof QUESTIONS>();
  const [asked, setAsked] = useState<keyof typeof QUESTIONS>('renew');
  const [isImporting, setImporting] = useState(false);
  const be = (way: CallerWay): void => {
    switch (way) {
      case 'anonymous':
        return caller.beAnonymous();
      case 'browser':
        return void caller.beMyself();
      case 'key':
        return caller.hasKey ? caller.beKey() : setImporting(true);
      case 'console':
        return caller.beConsole();
    }
  };
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
          options={WAYS.filter(({ value }) => value !== 'console' || caller.hasConsole)}
          value={caller.way}
          onChange={be}
        />
        {caller.principal !== undefined && (
          <>
            <IdText id={caller.principal} of="your principal" short />
            {isController && caller.way !== 'console' && <Chip tone="ok">Controller</Chip>}
          </>
        )}
        {caller.way === 'browser' && (
          <span className="flex gap-1">
            <Button size="small" variant="ghost" onClick={() => ask('renew')}>
              New
            </Button>
            <Button size="small" variant="ghost" onClick={() => ask('forget')}>
              Forget
            </Button>
          </span>
        )}
        {caller.way === 'key' && (
          <span className="flex gap-1">
            <Button size="small" variant="ghost" onClick={() => setImporting(true)}>
              Another
            </Button>
            <Button size="small" variant="ghost" onClick={caller.dropKey}>
              Remove
            </Button>
          </span>
        )}
      </div>
      {caller.way === 'console' && (
        <p className="max-w-prose text-sm text-muted">
          The console makes these calls with its own identity, which controls this canister.
        </p>
      )}
      {caller.problem !== undefined && (
        <p role="alert" className="max-w-prose text-sm text-bad">
          {caller.problem}
        </p>
      )}
      <KeyDialog open={isImporting} onClose={() => setImporting(false)} onImport={caller.importKey} />
      <ActionDialog
        open={question !== undefined}
        onClose={() => setQuestion(undefined)}
        title={title}
        description={description}
        action={button}
        danger
        onAction={() => void answer()}
      />
    </div>
  );
}
