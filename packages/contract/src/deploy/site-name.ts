import { z } from 'zod';

/** Longest label of a host name (RFC 1035, section 2.3.4), in characters. */
const LONGEST = 63;
const SHORTEST = 3;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
/** What a canister's ID looks like, right or not. */
const LIKE_AN_ID = /^[a-z2-7]{5}(-[a-z2-7]{1,5})+$/;
/** Labels with two hyphens here are those of other scripts (RFC 5890, section 2.3.1), which may look like any name. */
const OTHER_SCRIPT = /^..--/;

/**
 * Names that belong to the product or the operator, that programs look up by themselves, or by which a site would pass for one of
 * these.
 */
const RESERVED = new Set(
  `about abuse account accounts admin administrator api app apps assets auth autoconfig autodiscover billing broadcasthost
  candid canister canisters cannery cdn certificates console contact dashboard dev dns docs email example ftp gateway git
  gitlab github google hostmaster help home host hosts ic ic0 icp identity id imap info internal internetcomputer isatap
  local localdomain localhost localnet login logout mail mailer-daemon mta-sts mx mysql net network nns noreply ns ns1 ns2 ns3
  ns4 oauth oidc openid owner password pay payment payments pop pop3 portal postmaster private proxy public raw register
  registry replica root secure security signin sign-in signup sign-up smtp ssl staff static statistics stats status sub
  subdomain support sys system test tls token tokens user users usenet uucp verify vpn webdisk webmail webmaster wpad www
  www1 www2 www3`.split(/\s+/),
);

/** A name as it counts: `Shop ` is `shop`. */
export const tidySiteName = (typed: string): string => typed.trim().toLowerCase();

/** Why a tidy text cannot be the name of a site, as a sentence; undefined when it can. Whether it is taken is not known here. */
export function siteNameProblem(name: string): string | undefined {
  if (name.length < SHORTEST || name.length > LONGEST) {
    return `A name has ${SHORTEST} to ${LONGEST} characters.`;
  }
  if (!LABEL.test(name))
    return 'A name has letters a to z, digits and hyphens, and a hyphen neither first nor last.';
  if (LIKE_AN_ID.test(name)) return 'A name must not look like the ID of a canister.';
  if (OTHER_SCRIPT.test(name)) return 'A name has no two hyphens in the third and fourth place.';
  return RESERVED.has(name) ? 'This name is reserved.' : undefined;
}

/** A name that is asked for; the service says what is wrong with it. Empty for none. */
export const siteName = z.string().max(200);
