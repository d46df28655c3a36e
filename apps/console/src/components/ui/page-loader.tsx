const delays = [
  '[animation-delay:0ms]',
  '[animation-delay:120ms]',
  '[animation-delay:240ms]',
  '[animation-delay:360ms]',
];

/** The four circles that fill the page while its first data are on their way. */
export function PageLoader({ label = 'Loading' }: { label?: string }) {
  return (
    <div role="status" className="grid min-h-[60dvh] place-items-center">
      <span className="flex gap-2.5">
        {delays.map((delay) => (
          <span key={delay} className={`size-3 animate-bob rounded-full bg-accent ${delay}`} />
        ))}
      </span>
      <span className="sr-only">{label}</span>
    </div>
  );
}
