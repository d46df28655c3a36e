import { CopyButton } from '../../components/ui/copy-button.tsx';

interface CodeBlockProps {
  readonly text: string;
  readonly label: string;
}

/** Code or commands, with a button that copies them. Long lines scroll, also by keyboard. */
export function CodeBlock({ text, label }: CodeBlockProps) {
  return (
    <div className="flex items-start gap-2 rounded-card border border-line bg-sunken pr-2">
      <pre
        role="group"
        aria-label={label}
        // Whoever has no mouse scrolls it with the arrow keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="min-w-0 flex-1 overflow-x-auto rounded-card px-4 py-3 font-mono text-sm outline-offset-[-2px]"
      >
        {text}
      </pre>
      <span className="py-2">
        <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
      </span>
    </div>
  );
}
