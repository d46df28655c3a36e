import { z } from 'zod';

/**
 * Every error the service can answer with: HTTP status and, where it always applies, what to do next.
 * `error` and `message` of the body carry the same sentence, since the calls of the specification read one or the other.
 */
export const errorCodes = {
  unauthenticated: { status: 401, nextStep: 'Sign in again.' },
  sign_in_failed: { status: 401, nextStep: 'Start the sign-in again from the sign-in page.' },
  not_allowed: {
    status: 403,
    nextStep: 'Use an API token that may do this, or sign in.',
  },
  not_found: { status: 404, nextStep: 'Check the address, or go back to the list.' },
  invalid_input: { status: 400, nextStep: 'Correct the marked value and send it again.' },
  insufficient_balance: {
    status: 400,
    nextStep: 'Use a smaller amount, or delete a canister you no longer need.',
  },
  canister_not_stopped: { status: 400, nextStep: 'Stop the canister first.' },
  canister_busy: {
    status: 400,
    nextStep: 'Wait until the action that is running on this canister has ended.',
  },
  deploy_busy: {
    status: 400,
    nextStep: 'Try again when that has ended.',
  },
  invalid_wasm: { status: 400, nextStep: 'Build the WebAssembly module again and upload the new file.' },
  invalid_icon: { status: 400, nextStep: 'Choose a PNG, GIF or JPEG picture.' },
  install_failed: {
    status: 400,
    nextStep: 'Read the reason, correct the module or its arguments, and install again.',
  },
  network_rejected: { status: 400, nextStep: 'Read the reason the network gave, correct it and try again.' },
  network_shared: {
    status: 403,
    nextStep: 'Try this on a network that only its own computer can reach.',
  },
  network_unavailable: {
    status: 503,
    nextStep:
      'Try again in a few seconds. If it happens again, ask the operator whether the network is running.',
  },
  database_unavailable: {
    status: 503,
    nextStep:
      'Try again in a few seconds. If it happens again, ask the operator whether the database is running.',
  },
  storage_unavailable: {
    status: 503,
    nextStep:
      'Try again in a few seconds. If it happens again, ask the operator whether the storage of uploads is running.',
  },
  disk_full: {
    status: 507,
    nextStep: 'Free space on the disk of the server, or ask its operator to; then try again.',
  },
  payload_too_large: { status: 413, nextStep: 'Use a smaller file.' },
  repository_busy: { status: 400, nextStep: 'Try again when that has ended.' },
  repository_deleted: {
    status: 400,
    nextStep: 'Connect the deploy with another repository on its page.',
  },
  repository_not_found: { status: 400, nextStep: 'Check owner and name of the repository.' },
  git_host_unavailable: {
    status: 400,
    nextStep: 'Check the connection of the server to the internet, then try again.',
  },
  git_connection_failed: {
    status: 400,
    nextStep: "Press 'Configure account' on the page of a new deploy to begin again.",
  },
  already_exists: { status: 400, nextStep: 'Choose another name.' },
  quota_reached: {
    status: 400,
    nextStep: 'Delete what you no longer need, then try again.',
  },
  rate_limited: { status: 429, nextStep: 'Wait a moment and try again.' },
  internal: {
    status: 500,
    nextStep: 'Try again. If it happens again, look at the server log, or ask its operator to.',
  },
} as const satisfies Record<string, { status: number; nextStep: string }>;

export type ErrorCode = keyof typeof errorCodes;

export const errorBody = z.object({
  error: z.string(),
  message: z.string(),
  code: z.string(),
  next_step: z.string(),
  /** Technical detail worth copying into a report, such as the reject text of the network. */
  detail: z.string().optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;
