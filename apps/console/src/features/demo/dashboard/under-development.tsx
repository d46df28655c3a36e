import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { handle } from './dashboard-content.ts';

/** A button for what does not exist yet: its dialog says so, and where to hear of it. */
export function UnderDevelopmentButton({ label }: { label: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="This feature is under development"
        description={
          <>
            Follow{' '}
            <a
              href={handle.href}
              target="_blank"
              rel="noreferrer"
              className="font-medium text-accent underline underline-offset-2"
            >
              {handle.name}
            </a>{' '}
            to hear when it is there.
          </>
        }
        footer={<Button onClick={() => setOpen(false)}>Close</Button>}
      />
    </>
  );
}
