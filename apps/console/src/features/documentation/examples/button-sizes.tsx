import { Rocket } from 'lucide-react';
import { Button } from '../../../components/ui/button.tsx';

/** Small buttons are in rows of a list; an icon stands before the text. */
export function ButtonSizes() {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button size="small">Connect</Button>
      <Button>Manage</Button>
      <Button variant="primary">
        <Rocket className="size-4" />
        Manual Deploy
      </Button>
      <Button disabled>Not now</Button>
    </div>
  );
}
