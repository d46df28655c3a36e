import type { ServiceMethod } from '@cannery/candid';
import { Trash2 } from 'lucide-react';
import { Button } from '../../components/ui/button.tsx';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { IconButton } from '../../components/ui/icon-button.tsx';
import type { SavedCalls } from '../saved/saved-calls.ts';

interface SavedCallsCardProps {
  readonly calls: SavedCalls;
  readonly methods: readonly ServiceMethod[];
  /** Fills the arguments of a call into the form of its method. */
  readonly onOpen: (method: string, args: string) => void;
}

/** The calls of this canister that have a name. */
export function SavedCallsCard({ calls, methods, onOpen }: SavedCallsCardProps) {
  const { saved, remove } = calls;
  if (saved.length === 0) return null;
  return (
    <Card aria-label="Saved calls">
      <CardHeader title="Saved calls" note={String(saved.length)} />
      <ul className="border-t border-line">
        {saved.map(({ name, method, args }) => (
          <li
            key={name}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2 pr-3 pl-5 last:border-b-0"
          >
            <span className="min-w-0 flex-1 basis-56">
              <span className="block font-medium wrap-anywhere">{name}</span>
              <span className="block truncate font-mono text-xs text-muted">{`${method}${args}`}</span>
            </span>
            <span className="flex items-center gap-1">
              {methods.some((one) => one.name === method) ? (
                <Button size="small" aria-label={`Open ${name}`} onClick={() => onOpen(method, args)}>
                  Open
                </Button>
              ) : (
                <span className="text-xs text-muted">The interface has no such method.</span>
              )}
              <IconButton size="small" label={`Delete ${name}`} onClick={() => remove(name)}>
                <Trash2 className="size-3.5" aria-hidden="true" />
              </IconButton>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
