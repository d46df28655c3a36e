import { Suspense } from 'react';
import { CanneryMark } from '../../components/ui/cannery-mark.tsx';
import { lazyPage } from '../../components/ui/lazy-page.ts';
import { API_BASE, PRODUCT_NAME } from '../../config/env.ts';

/** The identity provider's own sign, in its own colours as its rules ask. */
function GoogleSign() {
  return (
    <svg viewBox="0 0 18 18" className="size-4.5" aria-hidden="true">
      <path
        fill="#4285F4"
        d="M17.6 9.2c0-.6-.1-1.2-.2-1.8H9v3.5h4.8a4.1 4.1 0 0 1-1.8 2.7v2.2h2.9c1.7-1.6 2.7-3.9 2.7-6.6z"
      />
      <path
        fill="#34A853"
        d="M9 18c2.4 0 4.5-.8 6-2.2l-2.9-2.2c-.8.5-1.8.9-3.1.9-2.4 0-4.4-1.6-5.1-3.8H.9v2.3A9 9 0 0 0 9 18z"
      />
      <path fill="#FBBC05" d="M3.9 10.7a5.4 5.4 0 0 1 0-3.4V5H.9a9 9 0 0 0 0 8z" />
      <path
        fill="#EA4335"
        d="M9 3.6c1.3 0 2.5.5 3.4 1.3L15 2.3A9 9 0 0 0 .9 5l3 2.3C4.6 5.2 6.6 3.6 9 3.6z"
      />
    </svg>
  );
}

/** In the configuration of the page (`describeConfig` of the server): the provider is the one that ships with the product. */
const OWN_PROVIDER = /"sign_in":\{[^{}]*"embedded":true/;

/** The configuration of the page, as text: this page does without the schemas of the contract. */
function configText(): string {
  return document.querySelector('meta[name="cannery-config"]')?.getAttribute('content') ?? '';
}

/** Few installations offer it. */
const InternetIdentity = lazyPage(() => import('./internet-identity.tsx'), 'InternetIdentity');

interface SignInCardProps {
  /** Why the last attempt failed. */
  readonly message: string | undefined;
  /** Called as the browser leaves for the identity provider. */
  readonly onBegin: () => void;
}

/** The sign-in page's one choice, and Internet Identity where the operator offers it. */
export function SignInCard({ message, onBegin }: SignInCardProps) {
  const config = configText();
  const isOwn = OWN_PROVIDER.test(config);
  return (
    <div className="w-full max-w-88 animate-arrival text-center">
      <CanneryMark className="mx-auto size-16" />
      <h1 className="mt-5 text-2xl font-semibold tracking-tight">{PRODUCT_NAME}</h1>
      <p className="mx-auto mt-2 max-w-72 text-base text-pretty text-muted">
        Build, ship and run Internet Computer canisters from one place.
      </p>
      {message !== undefined && (
        <p
          role="alert"
          className="mt-6 rounded-card border border-bad/40 bg-bad-soft px-4 py-3 text-left text-sm wrap-anywhere text-bad"
        >
          {message}
        </p>
      )}
      {isOwn && (
        <p id="leads-to" className="mx-auto mt-6 max-w-80 text-sm text-pretty text-muted">
          On this installation the button leads to {PRODUCT_NAME}'s own sign-in page; no Google account is
          needed.
        </p>
      )}
      <a
        href={`${API_BASE}/auth/google/`}
        aria-describedby={isOwn ? 'leads-to' : undefined}
        onClick={onBegin}
        className={`${isOwn ? 'mt-4' : 'mt-8'} flex h-11 w-full items-center justify-center gap-3 rounded-control border border-control bg-surface text-base font-medium transition-colors duration-100 hover:bg-sunken`}
      >
        <GoogleSign />
        Sign in with Google
      </a>
      {config.includes('"internet_identity"') && (
        <Suspense fallback={<p className="mt-3 h-11" />}>
          <InternetIdentity config={config} onBegin={onBegin} />
        </Suspense>
      )}
    </div>
  );
}
