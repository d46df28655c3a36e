import { parseRepositoryUrl } from '@cannery/contract';
import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { TextField } from '../../components/ui/text-field.tsx';

export interface PublicRepositoryChoice {
  readonly owner: string | undefined;
  readonly name: string | undefined;
  readonly url: string;
}

/** Any repository by its address. */
export function PublicRepository({ onContinue }: { onContinue: (choice: PublicRepositoryChoice) => void }) {
  const [url, setUrl] = useState('');
  return (
    <Card className="animate-entrance p-5">
      <h2 className="text-lg font-semibold">Public Git repository</h2>
      <form
        className="mt-3 flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const address = url.trim();
          onContinue({ ...parseRepositoryUrl(address), url: address });
        }}
      >
        <div className="min-w-0 flex-1">
          <TextField
            label="Repository URL"
            mono
            inputMode="url"
            placeholder="https://host/owner/repository.git"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        </div>
        <Button type="submit">Continue</Button>
      </form>
    </Card>
  );
}
