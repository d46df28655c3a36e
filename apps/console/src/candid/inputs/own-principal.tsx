import { createContext, use, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';

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
