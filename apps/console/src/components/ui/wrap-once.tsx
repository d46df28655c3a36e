interface WrapOnceProps {
  readonly text: string;
  /** What the second line begins with. */
  readonly before: string;
}

/** A text that breaks into two lines at one place only, where the cell is too narrow for it. */
export function WrapOnce({ text, before }: WrapOnceProps) {
  const at = text.indexOf(` ${before}`);
  if (at === -1) return <span className="whitespace-nowrap">{text}</span>;
  return (
    <span>
      <span className="whitespace-nowrap">{text.slice(0, at)}</span>{' '}
      <span className="whitespace-nowrap">{text.slice(at + 1)}</span>
    </span>
  );
}
