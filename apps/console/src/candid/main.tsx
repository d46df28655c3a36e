import '../styles/fonts.ts';
import '../styles/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from '../components/ui/error-boundary.tsx';
import { themeOf } from '../lib/browser/theme.ts';
import { CandidApp } from './candid-app.tsx';
import { readPageAddress } from './page-address.ts';

// The theme is chosen in the console; this page follows when it changes in another tab.
addEventListener('storage', (event) => {
  if (event.key === 'theme') document.documentElement.dataset['theme'] = themeOf(event.newValue) ?? 'default';
});

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the id root');
const address = readPageAddress(location.search);
if (address.id !== undefined) document.title = `${address.id} · Candid UI · Cannery`;
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <CandidApp {...address} />
    </ErrorBoundary>
  </StrictMode>,
);
