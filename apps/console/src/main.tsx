import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/fonts.ts';
import './styles/global.css';
import { ErrorBoundary } from './components/ui/error-boundary.tsx';
import { Application } from './app/application.tsx';
import { readSignInToken } from './lib/session/sign-in-token.ts';

// The token leaves the address and the history before anything else can read them.
const { token, cleaned } = readSignInToken(window.location);
if (token !== undefined) window.history.replaceState(null, '', cleaned);

const container = document.getElementById('root');
if (!container) throw new Error('The page has no element with id root.');
createRoot(container).render(
  <StrictMode>
    <ErrorBoundary>
      <Application signInToken={token} />
    </ErrorBoundary>
  </StrictMode>,
);
