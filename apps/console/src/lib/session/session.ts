import { sessionEndpoints, userEndpoints, type User } from '@cannery/contract';
import type { ApiClient } from '../api/api-client.ts';
import { describeError, isMissing } from '../api/api-error.ts';
import type { AuthStore } from './auth-state.ts';
import type { Theme } from '../browser/theme.ts';

/** The cookie that the service sets at sign-in, for all of the console; it marks the browser and holds no secret. */
const EXPIRED_COOKIE = 'token=; path=/; max-age=0; samesite=lax';

/** What a session works on. */
export interface SessionParts {
  readonly api: ApiClient;
  /** Calls with a token that is not stored. */
  readonly apiWith: (token: string) => ApiClient;
  readonly auth: AuthStore;
  readonly token: { read(): string | undefined; write(token: string): void; clear(): void };
  readonly theme: {
    write(theme: Theme): void;
    /** Stores the theme in use, where none is stored yet. */
    keep(): void;
  };
  /** The document, for its cookies. */
  readonly page: { cookie: string };
  /** Whether the page is being left: its calls then fail for that reason alone. */
  readonly leaving: () => boolean;
  /** Loads the page again, as the user whose token is stored. */
  readonly reload: () => void;
}

/** A session: starts from the stored or the handed-over token, ends with sign-out or a refusal. */
export class Session {
  #started = false;
  /** A bearer token of the address, until the visitor has said whether it is theirs. */
  #offered: string | undefined;
  /** The stored token with which this page has asked who is signed in. */
  #own: string | undefined;
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /**
   * Checks the stored token; where there is none, or it is not good any more, exchanges the one a sign-in handed over.
   * A running session is never replaced, and a bearer token of the address is used only once the visitor has said
   * so: an address that somebody else made must not sign a visitor in as them. Runs once; never rejects.
   */
  async start(signInToken?: string): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    const { auth, token, leaving } = this.#parts;
    if (token.read() !== undefined) await this.#load(false);
    const signedIn = () => auth.get().currentUser !== null;
    if (signInToken !== undefined && !signedIn() && !leaving()) await this.#signInWith(signInToken);
    if (!leaving()) auth.dispatch({ type: 'INIT_DONE' });
  }

  /** Ends the session here at once and at the service as soon as it answers. */
  async signOut(): Promise<void> {
    const farewell = this.#parts.api.call(sessionEndpoints.signOut, {}).catch(() => undefined);
    this.#forget();
    await farewell;
  }

  /** Ends all sessions of the user, this one included. @throws ApiError; then none has ended */
  async signOutEverywhere(): Promise<void> {
    await this.#parts.api.call(sessionEndpoints.endAll, {});
    this.#forget();
  }

  /** Ends a session whose token the service no longer takes. */
  expire(): void {
    if (this.#parts.auth.get().currentUser) this.#forget('Your session has ended. Sign in again.');
  }

  /**
   * Does what another tab of this browser has done: it has signed out, or somebody signed in there. Calls go out with the stored token,
   * so a page that stayed would show one user and act as another. Never clears the other tab's token.
   */
  follow(): void {
    const { auth, token, reload } = this.#parts;
    if (!auth.get().currentUser) return;
    const stored = token.read();
    if (stored === undefined) this.expire();
    else if (stored !== this.#own) reload();
  }

  /** Whether calls of this page go out as the user that it shows. */
  isOwn(): boolean {
    return this.#parts.token.read() === this.#own;
  }

  /** Ends the session here, which the service has ended, or goes on with that of another tab. */
  end(): void {
    if (this.isOwn()) this.expire();
    else this.follow();
  }

  /** The visitor has said that the token of the address is theirs. Never rejects. */
  async confirm(): Promise<void> {
    const { token } = this.#parts;
    const offered = this.#offered;
    this.#offered = undefined;
    // Another tab may have signed in meanwhile: that session stays.
    const isFresh = offered !== undefined && token.read() === undefined;
    if (isFresh) token.write(offered);
    if (token.read() === undefined) return;
    await this.#load(isFresh);
  }

  /** Begins with a token that the service has made for this page just now. Never rejects. */
  async begin(bearer: string): Promise<void> {
    this.#parts.token.write(bearer);
    await this.#load(true);
  }

  /** The visitor is somebody else: the token of the address is forgotten. */
  decline(): void {
    this.#offered = undefined;
    this.#parts.auth.dispatch({ type: 'DECLINED' });
  }

  async #signInWith(handed: string): Promise<void> {
    const { api, apiWith, auth, token } = this.#parts;
    auth.dispatch({ type: 'AUTH_REQUEST' });
    try {
      const bearer = await bearerOf(api, handed);
      if (bearer === handed) {
        const user = await apiWith(handed).call(userEndpoints.profile, {});
        this.#offered = handed;
        auth.dispatch({ type: 'ASKED', user });
        return;
      }
      token.write(bearer);
    } catch (error) {
      this.#fail(error);
      return;
    }
    await this.#load(true);
  }

  async #load(fresh: boolean): Promise<void> {
    const { api, auth, token, theme } = this.#parts;
    auth.dispatch({ type: 'AUTH_REQUEST' });
    // What the call takes along: another tab may replace it before the answer comes.
    this.#own = token.read();
    let user: User;
    try {
      user = await api.call(userEndpoints.profile, {});
    } catch (error) {
      this.#fail(error);
      return;
    }
    const stored = token.read();
    // Another tab may have signed out meanwhile; only a token that is still stored makes a session.
    if (stored === undefined) return this.#forget();
    token.write(stored);
    if (fresh) theme.write('default');
    else theme.keep();
    auth.dispatch({ type: 'SIGNED_IN', user });
  }

  #fail(error: unknown): void {
    // A call that the page took with it says nothing about the token; the next page checks it again.
    if (this.#parts.leaving()) return;
    const { reason, nextStep } = describeError(error);
    this.#parts.auth.dispatch({ type: 'AUTH_FAILURE', message: `${reason} ${nextStep}` });
    this.#forget();
  }

  #forget(message?: string): void {
    this.#parts.token.clear();
    this.#parts.page.cookie = EXPIRED_COOKIE;
    this.#parts.auth.dispatch({ type: 'SIGNED_OUT', message });
  }
}

/**
 * The bearer token that a handed-over token stands for. Another one proves that what was handed over is used up now, and was made for
 * the sign-in that this browser began; the same one could be anybody's.
 * @throws ApiError when the service refuses it
 */
async function bearerOf(api: ApiClient, handed: string): Promise<string> {
  try {
    return (await api.call(sessionEndpoints.exchange, { body: { token: handed } })).token;
  } catch (error) {
    // A service without this call, which is ours, hands over the bearer token itself; the profile call proves it.
    if (isMissing(error)) return handed;
    throw error;
  }
}
