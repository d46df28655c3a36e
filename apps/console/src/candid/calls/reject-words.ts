/** Names of the reject codes (IC interface specification, "Reject codes"). */
export const REJECT_CODES: Readonly<Record<number, string>> = {
  1: 'SYS_FATAL',
  2: 'SYS_TRANSIENT',
  3: 'DESTINATION_INVALID',
  4: 'CANISTER_REJECT',
  5: 'CANISTER_ERROR',
  6: 'SYS_UNKNOWN',
};

interface RejectWords {
  readonly title: string;
  readonly nextStep: string;
}

/** What a reject code means when the error code says nothing more. */
export const REJECT_WORDS: Readonly<Record<number, RejectWords>> = {
  1: {
    title: 'The network cannot do this',
    nextStep: 'The network will not do it later either; look at the message for the limit it names.',
  },
  2: { title: 'The network is busy', nextStep: 'Nothing was executed. Wait a moment and call again.' },
  3: { title: 'There is nothing to call', nextStep: 'Check the canister id and the name of the method.' },
  4: {
    title: 'The canister refused the call',
    nextStep: 'The refusal is the canister’s own decision; its message says what it wants.',
  },
  5: {
    title: 'The canister failed',
    nextStep:
      'All changes of this call were rolled back. The message names the place in the canister’s code.',
  },
  6: {
    title: 'The outcome is unknown',
    nextStep: 'The call may have been executed. Look at the canister’s state before you call again.',
  },
};

/** What an IC error code means to someone who calls a canister. */
export const ERROR_CODES: ReadonlyMap<string, RejectWords> = new Map(
  Object.entries({
    IC0101: {
      title: 'The network is out of room',
      nextStep: 'It was not executed. Call again later; the message names what is short.',
    },
    IC0201: {
      title: 'Too many queries of this canister wait',
      nextStep: 'Wait until some of them have ended, then call again.',
    },
    IC0202: { title: 'The call waited too long', nextStep: 'It was not executed. Call again.' },
    IC0204: {
      title: 'Too many calls are under way',
      nextStep: 'It was not executed. Wait a moment and call again.',
    },
    IC0207: {
      title: 'The canister is out of cycles',
      nextStep: 'Add cycles on the canister’s page, then call again.',
    },
    IC0301: {
      title: 'The canister does not exist',
      nextStep: 'Check the id; the canister may have been deleted.',
    },
    IC0406: {
      title: 'The canister refused the call',
      nextStep:
        'The refusal is the canister’s own decision; its message says what it wants. It may know another identity: look at “Calls as”.',
    },
    IC0408: {
      title: 'The network cannot read the call',
      nextStep: 'The message names what is wrong with it; correct the arguments.',
    },
    IC0502: {
      title: 'The canister trapped',
      nextStep:
        'Its code hit a fault, such as a division by zero. All changes of this call were rolled back.',
    },
    IC0503: {
      title: 'The canister stopped with an error',
      nextStep:
        'Its code gave up on purpose; the message says why. All changes of this call were rolled back.',
    },
    IC0504: {
      title: 'The canister broke the rules of the network',
      nextStep: 'This is a fault in the canister’s code or its toolchain; the message names the rule.',
    },
    IC0506: {
      title: 'The canister did not reply',
      nextStep: 'The method ended without an answer; its code must reply or reject.',
    },
    IC0507: {
      title: 'The canister is out of memory',
      nextStep: 'Free memory in the canister, or raise its memory allocation.',
    },
    IC0508: {
      title: 'The canister is stopped',
      nextStep: 'Start it on the canister’s page, then call again.',
    },
    IC0509: {
      title: 'The canister is stopping',
      nextStep: 'Wait until it has stopped, start it again, then call.',
    },
    IC0512: {
      title: 'Only a controller may do this',
      nextStep: 'Call as an identity that controls the canister; its page lists the controllers.',
    },
    IC0517: {
      title: 'The query leads back to itself',
      nextStep: 'A composite query must not call its own canister.',
    },
    IC0521: {
      title: 'The canister’s code could not run',
      nextStep:
        'The engine that runs it met a fault; the message names it. All changes of this call were rolled back.',
    },
    IC0522: {
      title: 'The call computed for too long',
      nextStep: 'Ask for less at once; the method must split its work over several messages.',
    },
    IC0524: { title: 'The call touched too much memory', nextStep: 'Ask for less at once.' },
    IC0525: { title: 'The query calls too deep', nextStep: 'Composite queries may only nest a few levels.' },
    IC0526: { title: 'The query computed for too long', nextStep: 'Ask for less at once.' },
    IC0527: {
      title: 'A composite query cannot be called as an update',
      nextStep: 'Reload the page; its interface may be old.',
    },
    IC0528: { title: 'The query took too long', nextStep: 'Ask for less at once.' },
    IC0532: {
      title: 'The canister has too few cycles to grow its memory',
      nextStep: 'Add cycles on the canister’s page, then call again.',
    },
    IC0534: {
      title: 'The canister may reserve no more cycles',
      nextStep: 'Raise the reserved cycles limit in the canister’s settings, then call again.',
    },
    IC0536: {
      title: 'The canister has no such method',
      nextStep: 'Reload the page: the canister may have been upgraded since its interface was read.',
    },
    IC0537: {
      title: 'No code is installed',
      nextStep: 'Install a WASM on the canister’s page, then call again.',
    },
    IC0539: {
      title: 'The canister reached its memory limit',
      nextStep: 'Free memory in the canister, or raise the main memory limit in its settings.',
    },
  }),
);
