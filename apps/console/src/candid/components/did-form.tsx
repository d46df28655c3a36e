import { CandidError, parseService } from '@cannery/candid';
import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { TextArea } from '../../components/ui/text-area.tsx';

interface DidFormProps {
  readonly startsWith: string;
  readonly onUse: (did: string) => void;
}

/** Takes the interface of a canister that publishes none, or a wrong one. */
export function DidForm({ startsWith, onUse }: DidFormProps) {
  const [did, setDid] = useState(startsWith);
  const [error, setError] = useState<string>();
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
      className="flex w-full max-w-2xl flex-col gap-3 text-left"
    >
      <TextArea
        mono
        rows={8}
        label="Interface (.did text)"
        placeholder={'service : {\n  greet : (text) -> (text) query;\n}'}
        value={did}
        error={error}
        onChange={(event) => {
          setDid(event.target.value);
          setError(undefined);
        }}
      />
      <Button type="submit" variant="primary" className="self-start">
        Use this interface
      </Button>
    </form>
  );
}
