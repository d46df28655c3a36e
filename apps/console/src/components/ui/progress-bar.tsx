interface ProgressBarProps {
  readonly label: string;
  /** Part done, between 0 and 1; undefined while it cannot be told. */
  readonly done: number | undefined;
  /** How much that is, such as '1.20 MiB of 4.00 MiB'. */
  readonly amount?: string;
}

/** How far something has come. */
export function ProgressBar({ label, done, amount }: ProgressBarProps) {
  const percent = done === undefined ? undefined : Math.floor(done * 100);
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex justify-between gap-4 text-sm text-muted">
        <span>{label}</span>
        {percent !== undefined && (
          <span className="whitespace-nowrap tabular-nums">
            {amount === undefined ? '' : `${amount} · `}
            {percent} %
          </span>
        )}
      </p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-1.5 overflow-hidden rounded-full bg-ink/10"
      >
        <div
          className={percent === undefined ? 'h-full w-full animate-pulse bg-accent' : 'h-full bg-accent'}
          style={percent === undefined ? undefined : { width: `${percent}%` }}
        />
      </div>
    </div>
  );
}
