import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { TextField } from '../../components/ui/text-field.tsx';
import { pageSearch, readPageAddress } from '../page-address.ts';

interface OpenFormProps {
  readonly startsWith: string;
  readonly host: string | undefined;
}

/** Asks for the canister to show. */
export function OpenForm({ startsWith, host }: OpenFormProps) {
  const [id, setId] = useState(startsWith);
  const [error, setError] = useState<string>();
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const search = pageSearch(id.trim(), host);
        if (readPageAddress(search).isValidId) location.assign(search);
        else setError('This is not a canister id: it looks like rrkah-fqaaa-aaaaa-aaaaq-cai');
      }}
      className="flex w-full max-w-md flex-col gap-3 text-left"
    >
      <TextField
        mono
        label="Canister id"
        placeholder="rrkah-fqaaa-aaaaa-aaaaq-cai"
        spellCheck={false}
        value={id}
        error={error}
        onChange={(event) => {
          setId(event.target.value);
          setError(undefined);
        }}
      />
      <Button type="submit" variant="primary">
        Open
      </Button>
    </form>
  );
}
