/** The product's mark: a can with a label band. */
export function CanneryMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <path
        d="M5 7v18c0 2.5 4.9 4.5 11 4.5S27 27.5 27 25V7"
        className="fill-accent-soft stroke-ink"
        strokeWidth="1.8"
      />
      <path
        d="M5.9 13.6c1.7 2 5.6 3.3 10.1 3.3s8.4-1.3 10.1-3.3v8c-1.7 2-5.6 3.3-10.1 3.3S7.6 23.6 5.9 21.6z"
        className="fill-accent"
      />
      <ellipse cx="16" cy="7" rx="11" ry="4.5" className="fill-surface stroke-ink" strokeWidth="1.8" />
      <ellipse cx="16" cy="7.2" rx="6.6" ry="2.1" className="fill-none stroke-ink/40" strokeWidth="1.2" />
    </svg>
  );
}
