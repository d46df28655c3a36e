import type { RepositoryContent } from '@cannery/contract';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../components/ui/card.tsx';
import { Select } from '../../components/ui/select.tsx';
import { serverText } from '../../lib/api/api-error.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { useSetDefaultBranch } from './repositories.ts';

/** Which branch of a repository a clone begins with, and a new DApp; saved at once. Nothing where there is no choice. */
export function DefaultBranch({ content: { owner, name, branches } }: { content: RepositoryContent }) {
  const router = useRouter();
  const save = useSetDefaultBranch();
  // Shown until the page has been read again: the control would jump back meanwhile.
  const [wanted, setWanted] = useState<string>();
  const [saved] = branches;
  if (saved === undefined || branches.length < 2) return null;

  const change = async (branch: string): Promise<void> => {
    setWanted(branch);
    try {
      await save.mutateAsync({ owner, repo: name, branch });
      toast.tell('repository: default branch saved');
      await router.invalidate();
    } catch (failure) {
      toast.tell('repository: default branch not saved', { text: serverText(failure) });
    }
    setWanted(undefined);
  };

  return (
    <Card className="p-5">
      <Select
        label="Default branch"
        hint="A clone begins with it, and a new DApp offers it first. DApps that there are keep their branch. Where a push deletes it, main takes over, or master, or the branch with the newest commit."
        mono
        options={branches.map((branch) => ({ value: branch, label: branch }))}
        value={wanted ?? saved}
        disabled={wanted !== undefined}
        onChange={(branch) => void change(branch)}
      />
    </Card>
  );
}
