import { type PublicConfig, repositoryNames } from '@cannery/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { TextField } from '../../components/ui/text-field.tsx';
import { ApiError, serverText } from '../../lib/api/api-error.ts';
import {
  outsideUrl,
  providerPlace,
  readPublicAddress,
  type PublicAddress,
} from '../../lib/text/public-address.ts';
import { branchesQuery } from './repositories.ts';

/**
 * The first of several names that a look-up knows.
 * @throws what the last look-up threw, or the first one that was not answered
 */
export async function firstFound(
  names: readonly string[],
  lookUp: (name: string) => Promise<unknown>,
): Promise<string> {
  for (const [place, name] of names.entries()) {
    try {
      await lookUp(name);
      return name;
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (!isRefusal || place === names.length - 1) throw error;
    }
  }
  throw new TypeError('There is no name to look up.');
}

interface PublicRepositoryProps {
  readonly config: PublicConfig | undefined;
  readonly onContinue: (choice: PublicAddress) => void;
  /** Whether an address is what the place is for, and not the other way beside it. */
  readonly main?: boolean;
}

/** Any repository by its address. It is looked up first: what cannot be deployed is refused here. */
export function PublicRepository({ config, onContinue, main = true }: PublicRepositoryProps) {
  const client = useQueryClient();
  const [url, setUrl] = useState('');
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);

  const look = async (): Promise<void> => {
    const provider = providerPlace(config);
    const address = readPublicAddress(url, provider);
    if ('fault' in address) {
      setFault(address.fault);
      return;
    }
    setFault(undefined);
    setBusy(true);
    try {
      const outside = outsideUrl({ isPublic: true, url: address.url }, provider);
      // What travels with its address is found by that.
      const names = outside === undefined ? repositoryNames(address.url) : [address.name];
      const branchesOf = (repo: string) =>
        client.fetchQuery(branchesQuery({ owner: address.owner, repo, isPublic: true, url: outside }));
      onContinue({ ...address, name: await firstFound(names, branchesOf) });
    } catch (failure) {
      setFault(serverText(failure, 'The repository could not be looked up. Try again.'));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Card className="@container animate-entrance p-5">
      <h2 className="text-lg font-semibold">Public Git repository</h2>
      <form
        noValidate
        className="mt-3 flex flex-col items-stretch gap-2 @md:flex-row @md:items-start"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void look();
        }}
      >
        <div className="min-w-0 flex-1">
          <TextField
            label="Repository URL"
            mono
            inputMode="url"
            hint="For example https://github.com/owner/repository"
            value={url}
            error={fault}
            onChange={(event) => {
              setUrl(event.target.value);
              setFault(undefined);
            }}
          />
        </div>
        <Button type="submit" variant={main ? 'primary' : 'secondary'} busy={busy} className="@md:mt-6.5">
          Continue
        </Button>
      </form>
    </Card>
  );
}
