import { API_BASE } from '../../config/env.ts';
import { api, onTokenRefused } from '../api/api.ts';
import { createApiClient } from '../api/api-client.ts';
import { authStore } from './auth-state.ts';
import { Session } from './session.ts';
import { themeStore } from '../browser/theme.ts';
import { tokenStore } from '../browser/token-store.ts';

globalThis.addEventListener('pageshow', ({ persisted }) => {
  // Back in a page whose session check was cut off.
  if (persisted && authStore.get().loadingInit) location.reload();
});

/** The session of this page. Loaded only once there is a token, since the sign-in page needs none of it. */
export const session = new Session({
  api,
  apiWith: (token) => createApiClient({ base: API_BASE, readToken: () => token }),
  auth: authStore,
  token: tokenStore,
  theme: themeStore,
  page: document,
  // boot.js marks the page, since this module may be loaded only after the page was left.
  leaving: () => 'left' in document.documentElement.dataset,
  reload: () => location.reload(),
});

onTokenRefused(() => session.end());
