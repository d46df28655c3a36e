const KEY = 'candid-opened';

/** What of a new user's first steps only this browser knows. */
export const firstSteps = {
  candidOpened(): void {
    localStorage.setItem(KEY, 'true');
  },
  hasOpenedCandid(): boolean {
    return localStorage.getItem(KEY) === 'true';
  },
};
