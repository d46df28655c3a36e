import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';

const WORK_MS = 1500;

/** Press it: the spinner covers the text, so that the width stays. */
export function ButtonBusy() {
  const [busy, setBusy] = useState(false);
  const work = (): void => {
    setBusy(true);
    setTimeout(() => setBusy(false), WORK_MS);
  };
  return (
    <Button variant="primary" busy={busy} onClick={work}>
      Take snapshot
    </Button>
  );
}
