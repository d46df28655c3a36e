import { Trash2 } from 'lucide-react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';

/** The end of a deploy's settings: what deletes it. */
export function DeleteDeployCard({ onDelete }: { onDelete: () => void }) {
  return (
    <Card className="flex max-w-2xl animate-entrance flex-wrap items-center justify-between gap-4 p-5">
      <div className="min-w-0 flex-1 basis-72">
        <h2 className="text-lg font-semibold">Delete this DApp</h2>
        <p className="text-sm text-pretty text-muted">
          Its settings, its runs and their logs are lost for good. You choose whether its canisters stay.
        </p>
      </div>
      <Button variant="danger" onClick={onDelete}>
        <Trash2 className="size-4" aria-hidden="true" />
        Delete DApp
      </Button>
    </Card>
  );
}
