import type { IDL } from '@icp-sdk/core/candid';
import { Shuffle } from 'lucide-react';
import { createContext, use, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { IconButton } from '../../components/ui/icon-button.tsx';
import type { FieldState } from '../form/field-state.ts';
import { randomState } from '../form/random-state.ts';

/** Gives the principal that the user calls by on the Candid page; inputs of principals offer it where there is one. */
export const OwnPrincipalContext = createContext<(() => Promise<string>) | undefined>(undefined);

/** Fills an input of a principal with the user's own. */
export function OwnPrincipalButton({
  label,
  onPrincipal,
}: {
  label: string;
  onPrincipal: (text: string) => void;
}) {
  const find = use(OwnPrincipalContext);
  const [hasFailed, setFailed] = useState(false);
  if (find === undefined) return null;
  if (hasFailed) return <span className="text-sm text-muted">This browser cannot keep a key here.</span>;
  return (
    <Button
      size="small"
      variant="ghost"
      aria-label={`Use my principal for ${label}`}
      title="The principal of the key that this browser keeps. On the Candid page you can call with it."
      onClick={() => void find().then(onPrincipal, () => setFailed(true))}
    >
      Use my principal
    </Button>
  );
}

interface RandomButtonProps {
  readonly label: string;
  readonly type: IDL.Type;
  readonly onChange: (next: FieldState) => void;
}

/** Fills one input, with all it holds, at random. */
export function RandomButton({ label, type, onChange }: RandomButtonProps) {
  return (
    <IconButton
      size="small"
      label={`Random value for ${label}`}
      className="ml-auto"
      onClick={() => onChange(randomState(type))}
    >
      <Shuffle className="size-3.5" aria-hidden="true" />
    </IconButton>
  );
}
