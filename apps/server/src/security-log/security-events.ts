/** What a kind of event is. */
interface EventKind {
  /** The sentence of its lines. */
  readonly says: string;
  /** Whether somebody was refused. Of such kinds strangers can cause any number, so that fewer lines of all clients together are written. */
  readonly isRefusal: boolean;
}

const done = (says: string): EventKind => ({ says, isRefusal: false });
const refused = (says: string): EventKind => ({ says, isRefusal: true });

/** Every event that the security log can have. The table for operators is in docs/operations/observability.md. */
const kinds = {
  sign_in_completed: done('A user has signed in'),
  sign_in_failed: refused('A sign-in has failed'),
  sign_in_refused: refused('A sign-in was refused'),
  sign_out: done('A user has signed out'),
  session_ended: done('A user has ended sessions'),
  api_token_created: done('A user has created an API token'),
  api_token_deleted: done('A user has deleted an API token'),
  api_token_used: done('An API token is used'),
  git_token_created: done('A user has created an access token of the git host'),
  git_token_deleted: done('A user has deleted an access token of the git host'),
  git_token_used: done('An access token of the git host is used'),
  credential_refused: refused('A call without a valid session or token was refused'),
  git_credential_refused: refused('A credential was refused at the git host'),
  right_refused: refused('A call was refused that its user may not make'),
  foreign_or_absent: refused('A user has asked for what is not theirs or not there'),
  rate_exceeded: refused('A call was refused for its rate'),
  input_refused: refused('Input was refused that does not fit'),
  rule_refused: refused('A call was refused by a rule of the product'),
  host_refused: refused('A request for another host name was refused'),
  origin_refused: refused('A page of another origin was refused'),
  webhook_refused: refused('A delivery to a webhook was refused'),
  door_refused: refused('A request at the internal door was refused'),
  operator_command: done('The operator has used a command'),
} satisfies Record<string, EventKind>;

/** An event of the security log: there is no other. */
export type SecurityEvent = keyof typeof kinds;

export const securityEvents: Readonly<Record<SecurityEvent, EventKind>> = kinds;

/**
 * What a line may say of its event, beside who it was. Values are words of ours, patterns of routes and ids: never what a stranger has
 * written, nor a secret.
 */
export interface EventDetails {
  /** Id of the user that it is about, where that is not who sends the request. */
  readonly user?: string | undefined;
  /** Address of the client, where no request is at hand. */
  readonly address?: string | undefined;
  /** How the user signs in. */
  readonly provider?: 'embedded' | 'oidc' | 'internet_identity' | undefined;
  /** Id of a token, which is no secret; what is called `token` is taken out of every line. */
  readonly token_id?: string | undefined;
  readonly credential?: 'none' | 'session' | 'api_token' | undefined;
  /** Of the contract. */
  readonly code?: string | undefined;
  readonly method?: string | undefined;
  /** Pattern of the route. */
  readonly route?: string | undefined;
  /** The id that was asked for, where it has the form of one. */
  readonly thing?: string | undefined;
  readonly sessions?: 'one' | 'all' | undefined;
  readonly webhook?: 'deploy' | 'github' | undefined;
  readonly command?:
    | 'sign-out'
    | 'deposit'
    | 'book'
    | 'give-back'
    | 'rotate-secrets-key'
    | 'restore-repositories'
    | undefined;
}
