import { useState } from 'react';
import { useStore } from '../../lib/browser/store.ts';
import { Button } from '../ui/button.tsx';
import { changedForms, listed } from './changed-forms.ts';

interface UnsavedBarProps {
  /** Called when all of it is saved. */
  readonly onSaved: () => void;
}

/** The bar goes, and what had the focus in it with it. */
function leaveBar(): void {
  document.getElementById('content')?.focus({ preventScroll: true });
}

/** While forms of the page are changed: which, and one press for all of them. */
export function UnsavedBar({ onSaved }: UnsavedBarProps) {
  const forms = useStore(changedForms).flatMap(({ name, bar }) =>
    bar === undefined ? [] : [{ name, ...bar }],
  );
  const [saving, setSaving] = useState(false);
  if (forms.length === 0) return null;

  const save = async (): Promise<void> => {
    setSaving(true);
    // One after the other: what a form could not save stays changed, with the reason in it.
    for (const form of forms) if (!(await form.save())) return setSaving(false);
    setSaving(false);
    leaveBar();
    onSaved();
  };
  const undo = (): void => {
    for (const form of forms) form.discard();
    leaveBar();
  };
  const wrong = forms.filter(({ canSave }) => !canSave).map(({ name }) => name);

  return (
    <section
      aria-label="Unsaved changes"
      data-bar="bottom"
      className="sticky bottom-[calc(0.75rem+var(--foot))] z-10 flex max-w-2xl flex-wrap items-center justify-end gap-2 rounded-card border border-line bg-raised py-2.5 pr-3 pl-5 shadow-float max-sm:px-3 max-sm:[&>:not(p)]:flex-1"
    >
      <p
        role="status"
        className="mr-auto min-w-0 flex-1 basis-48 text-sm text-pretty max-sm:basis-full max-sm:px-1"
      >
        <span className="font-medium">Unsaved changes</span>{' '}
        <span className="text-muted">
          {wrong.length === 0
            ? `in ${listed(forms.map(({ name }) => name))}`
            : `cannot be saved yet: see ${listed(wrong)}`}
        </span>
      </p>
      <Button size="small" disabled={saving} onClick={undo}>
        Undo all
      </Button>
      <Button
        size="small"
        variant="primary"
        disabled={wrong.length > 0}
        busy={saving}
        onClick={() => void save()}
      >
        Save all
      </Button>
    </section>
  );
}
