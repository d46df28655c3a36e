import { Button } from '../../../components/ui/button.tsx';

/** One primary button a screen; danger for what cannot be undone. */
export function ButtonLooks() {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button variant="primary">Deploy</Button>
      <Button>Cancel</Button>
      <Button variant="ghost">Show all</Button>
      <Button variant="danger">Delete</Button>
    </div>
  );
}
