/** A drawn face: nobody's. */
export function Portrait({ name, className }: { name: string; className?: string }) {
  return (
    <svg viewBox="0 0 96 96" role="img" aria-label={`Portrait of ${name}`} className={className}>
      <circle cx="48" cy="48" r="48" fill="#f3d9b1" />
      <path d="M14 82a36 30 0 0 1 68 0 48 48 0 0 1-68 0z" fill="#2f5bea" />
      <path d="M39 60h18v12a9 9 0 0 1-18 0z" fill="#c98d63" />
      <path d="M24 44c0-32 48-32 48 0v22H62V40H34v26H24z" fill="#3b2a24" />
      <ellipse cx="48" cy="45" rx="17" ry="20" fill="#dba377" />
      <path d="M30 42c2-16 32-18 36 0-12 0-20-3-25-8-1 4-5 7-11 8z" fill="#3b2a24" />
      <circle cx="41.5" cy="46" r="2" fill="#2b2320" />
      <circle cx="54.5" cy="46" r="2" fill="#2b2320" />
      <path d="M42 55q6 5 12 0" fill="none" stroke="#8c4a34" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
