import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { paths } from '../../config/paths.ts';
import { askedPath } from '../../lib/session/asked-path.ts';
import { authStore } from '../../lib/session/auth-state.ts';

interface Offered {
  readonly address: string;
  readonly origin: string;
}

/** What the page says of Internet Identity. */
function offeredIn(config: string): Offered {
  const { sign_in: signIn } = JSON.parse(config) as { sign_in: { internet_identity: Offered } };
  return signIn.internet_identity;
}

type SignIn = (address: string) => Promise<string | undefined>;

/** The loop that Internet Identity is known by, in its colours. */
function Loop() {
  return (
    <svg viewBox="0 0 24 12" fill="none" strokeWidth="2.5" className="w-6" aria-hidden="true">
      <path stroke="#29ABE2" d="M12 6C9.5 2.5 8 1.5 5.8 1.5a4.5 4.5 0 0 0 0 9C8 10.5 9.5 9.5 12 6" />
      <path stroke="#ED1E79" d="M12 6c2.5 3.5 4 4.5 6.2 4.5a4.5 4.5 0 0 0 0-9C16 1.5 14.5 2.5 12 6" />
    </svg>
  );
}

const LOOK =
  'flex h-11 w-full items-center justify-center gap-3 rounded-control border border-control bg-surface text-base font-medium transition-colors duration-100 hover:bg-sunken';

interface InternetIdentityProps {
  /** The configuration of the page, as text. */
  readonly config: string;
  /** Called as the window of the provider opens. */
  readonly onBegin: () => void;
}

/** The button that signs in by Internet Identity. */
export function InternetIdentity({ config, onBegin }: InternetIdentityProps) {
  const [{ address, origin }] = useState(() => offeredIn(config));
  const [signIn, setSignIn] = useState<SignIn>();
  const [isUnderWay, setUnderWay] = useState(false);
  const [problem, setProblem] = useState<string>();
  const navigate = useNavigate();

  useEffect(() => {
    // What opens the window must be here before the click: browsers let nothing open it later.
    import('./sign-in-by-identity.ts').then(
      ({ signInByIdentity }) => setSignIn(() => signInByIdentity),
      () => setProblem('Internet Identity cannot be offered right now. Load this page again.'),
    );
  }, []);

  const begin = async () => {
    if (signIn === undefined || isUnderWay) return;
    setProblem(undefined);
    onBegin();
    const under = signIn(address);
    setUnderWay(true);
    const failure = await under;
    setUnderWay(false);
    setProblem(failure);
    if (failure !== undefined || !authStore.get().currentUser) return;
    await navigate({ href: askedPath.take() ?? paths.home, replace: true });
  };

  // Principals are made for the address of the console: at another one the same person would be somebody else.
  if (location.origin !== origin) {
    return (
      <a href={`${origin}/login`} className={`mt-3 ${LOOK}`}>
        <Loop />
        Internet Identity at {new URL(origin).host}
      </a>
    );
  }
  return (
    <>
      <button
        type="button"
        className={`mt-3 ${LOOK}`}
        disabled={signIn === undefined}
        aria-disabled={isUnderWay}
        onClick={() => void begin()}
      >
        <Loop />
        {isUnderWay ? 'Waiting for Internet Identity' : 'Sign in with Internet Identity'}
      </button>
      {problem !== undefined && (
        <p role="alert" className="mt-3 text-left text-sm wrap-anywhere text-bad">
          {problem}
        </p>
      )}
    </>
  );
}
