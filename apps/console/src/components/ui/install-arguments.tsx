import { TextField } from './text-field.tsx';
import type { ArgumentDraft } from '../../lib/shared/argument-draft.ts';

interface InstallArgumentsProps {
  /** The typed inputs; undefined when the module does not say what it takes. */
  readonly draft: ArgumentDraft | undefined;
  readonly onDraft: (next: ArgumentDraft) => void;
  /** The arguments as Candid text, instead of the inputs. */
  readonly text: string;
  readonly onText: (next: string) => void;
  readonly disabled: boolean;
}

/** The arguments a module is installed with: typed inputs where the module names their types, else a text. */
export function InstallArguments({ draft, onDraft, text, onText, disabled }: InstallArgumentsProps) {
  if (draft === undefined) {
    return (
      <TextField
        label="Arguments (optional)"
        mono
        placeholder="()"
        hint="Candid text of the install arguments, such as (&quot;Ada&quot;, 5). Leave it empty for none."
        disabled={disabled}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
    );
  }
  if (draft.count === 0) return <p className="text-sm text-muted">The module takes no install arguments.</p>;
  return (
    <fieldset disabled={disabled} className="flex min-w-0 flex-col gap-4">
      <legend className="mb-3 text-sm font-medium">Install arguments</legend>
      {draft.render(onDraft)}
    </fieldset>
  );
}
