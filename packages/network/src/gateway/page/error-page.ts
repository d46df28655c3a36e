import type { Rejection } from '@cannery/ic/state-leaves';

/** What a visitor gets to see when a page cannot be served. */
export interface ErrorPage {
  readonly status: number;
  readonly title: string;
  readonly explanation: string;
  /** The words of the network or the canister, for developers. */
  readonly detail?: string;
  /** When to try again, in seconds. */
  readonly retrySeconds?: number;
}

type Explanation = Omit<ErrorPage, 'detail'>;

/** Plain words for the errors a visitor can meet, by the error code of the network. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  IC0301: {
    status: 404,
    title: 'There is no canister at this address',
    explanation: 'The canister may have been deleted, or its ID may be misspelled.',
  },
  IC0537: {
    status: 503,
    title: 'This canister has no code yet',
    explanation:
      'The canister exists, but nothing has been installed in it. Deploy the project and try again.',
  },
  IC0508: {
    status: 503,
    title: 'This canister is stopped',
    explanation: 'Start the canister to see its page.',
  },
  IC0509: {
    status: 503,
    title: 'This canister is stopping',
    explanation: 'The canister takes no new requests. Start it to see its page.',
  },
  IC0536: {
    status: 404,
    title: 'This canister has no web page',
    explanation:
      'It does not offer the method http_request. It can still be called through its Candid interface.',
  },
  IC0207: {
    status: 503,
    title: 'This canister is out of cycles',
    explanation: 'Top up the canister to see its page.',
  },
  IC0522: {
    status: 500,
    title: 'This canister took too long to answer',
    explanation: 'It reached the limit of instructions for one request.',
  },
};

const FAILED: Explanation = {
  status: 500,
  title: 'This canister failed to answer',
  explanation: 'Its code reported an error while it handled the request.',
};

/** The canister, or the network for it, refused to answer. */
export function rejectionPage({ errorCode, message }: Rejection): ErrorPage {
  return { ...(EXPLANATIONS[errorCode] ?? FAILED), detail: `${errorCode}: ${message}` };
}

/** The response is not certified; `rawUrl` serves it all the same. */
export function unverifiedPage(reason: string, rawUrl: string): ErrorPage {
  return {
    status: 502,
    title: 'This response could not be verified',
    explanation: `The canister answered, but its response could not be verified: ${reason}. The unverified page is at ${rawUrl}`,
  };
}

/** The canister answered with something that is no HTTP response. */
export function malformedPage(reason: string): ErrorPage {
  return {
    status: 502,
    title: 'This canister answered in an unknown form',
    explanation: `Its answer is not that of a web page: ${reason}.`,
  };
}

/** The answer could not be read within the bounds there are for it. */
export function unreadPage(reason: string): ErrorPage {
  return {
    status: 502,
    title: 'This answer could not be read',
    explanation: `The canister answered, but nothing can be shown of it: ${reason}.`,
  };
}

/** The page as HTML, or as plain text for clients that did not ask for HTML. */
export function renderErrorPage(
  page: ErrorPage,
  accept: string | undefined,
): { readonly contentType: string; readonly body: string } {
  const { title, explanation, detail } = page;
  if (!accept?.includes('text/html')) {
    return {
      contentType: 'text/plain; charset=utf-8',
      body: [title, explanation, detail]
        .filter((line) => line !== undefined)
        .join('\n')
        .concat('\n'),
    };
  }
  const technical = detail === undefined ? '' : `<pre>${escapeHtml(detail)}</pre>`;
  return {
    contentType: 'text/html; charset=utf-8',
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 15vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.8125rem; opacity: 0.75; }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(explanation)}</p>
${technical}
</main>
</body>
</html>
`,
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The text as HTML shows it, in an element or between quotation marks. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
