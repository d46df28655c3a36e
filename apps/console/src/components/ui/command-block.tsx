import { CopyButton } from './copy-button.tsx';

/** Text for a terminal, with a button that copies it. */
export function CommandBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-start gap-2 rounded-card border border-line bg-sunken py-2 pr-2 pl-3">
      <pre className="min-w-0 flex-1 py-1 font-mono text-sm break-all whitespace-pre-wrap">{text}</pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}
