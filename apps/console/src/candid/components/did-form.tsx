import { CandidError, parseService } from '@cannery/candid';
import { useState } from 'react';
import { Button, buttonClass } from '../../components/ui/button.tsx';
import { TextArea } from '../../components/ui/text-area.tsx';

interface DidFormProps {
  readonly startsWith: string;
  readonly onUse: (did: string) => void;
}

/** Takes the interface of a canister that publishes none, or a wrong one. */
export function DidForm({ startsWith, onUse }: DidFormProps) {
  const [did, setDid] = useState(startsWith);
  const [error, setError] = useState<string>();
  const take = async (files: FileList | null): Promise<void> => {
    const [file] = files ?? [];
    if (!file) return;
    setDid(await file.text());
    setError(undefined);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        try {
          parseService(did);
          onUse(did);
        } catch (cause) {
          if (!(cause instanceof CandidError)) throw cause;
          setError(cause.message);
        }
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void take(event.dataTransfer.files);
      }}
      className="flex w-full max-w-2xl flex-col gap-3 text-left"
    >
      <TextArea
        mono
        rows={8}
        label="Interface (.did text)"
        hint="Paste it, or drop a .did file here."
        placeholder={'service : {\n  greet : (text) -> (text) query;\n}'}
        value={did}
        error={error}
        onChange={(event) => {
          setDid(event.target.value);
          setError(undefined);
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary">
          Use this interface
        </Button>
        <span
          className={buttonClass({
            className: 'has-focus-visible:outline-2 has-focus-visible:outline-accent',
          })}
        >
          Choose a .did file
          <input
            type="file"
            accept=".did,text/plain"
            aria-label="Choose a .did file"
            onChange={(event) => void take(event.target.files)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
        </span>
      </div>
    </form>
  );
}
