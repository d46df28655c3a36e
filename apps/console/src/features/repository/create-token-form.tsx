import type { GitToken } from '@cannery/contract';
import { useState } from 'react';
import { LostNotice } from '../../components/connection/lost-notice.tsx';
import { useLostWrite } from '../../components/connection/use-lost-write.ts';
import { Button } from '../../components/ui/button.tsx';
import { CommandBlock } from '../../components/ui/command-block.tsx';
import { TextField } from '../../components/ui/text-field.tsx';
import { serverText } from '../../lib/api/api-error.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import type { useCreateGitToken } from './repositories.ts';

/** Asks for the name of a new access token. */
export function CreateTokenForm({ create }: { create: ReturnType<typeof useCreateGitToken> }) {
  const [label, setLabel] = useState('');
  const { lost, sent } = useLostWrite({ busy: create.isPending });
  return (
    <form
      className="flex items-start gap-2 max-sm:flex-col max-sm:items-stretch"
      onSubmit={(event) => {
        event.preventDefault();
        if (label.trim() === '') return;
        sent();
        create.mutate(label, {
          onSuccess: () => setLabel(''),
          onError: (failure) => toast.tell('token: not created', { text: serverText(failure) }),
        });
      }}
    >
      <div className="min-w-0 flex-1">
        <TextField
          label="Token name"
          hint="For example the computer you push from"
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        {lost !== undefined && (
          <div className="mt-3">
            <LostNotice lost={lost} />
          </div>
        )}
      </div>
      <Button type="submit" busy={create.isPending} disabled={label.trim() === ''} className="sm:mt-6.5">
        {lost === undefined ? 'Create token' : 'Try again'}
      </Button>
    </form>
  );
}

/** The secret of a token that was made a moment ago. */
export function NewTokenSecret({ token }: { token: GitToken & { readonly secret: string } }) {
  return (
    <div>
      <p className="mb-1.5 text-sm wrap-anywhere">
        Copy the token '{token.label}' now; it is shown only once.
      </p>
      <CommandBlock text={token.secret} label="Copy token" />
    </div>
  );
}
