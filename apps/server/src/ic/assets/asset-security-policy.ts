import type { Header } from '../replies/listed-asset.ts';

export const SECURITY_POLICIES = ['disabled', 'standard', 'hardened'] as const;
export type SecurityPolicy = (typeof SECURITY_POLICIES)[number];

/** What pages of the site may not do with the device; all features of the list are off. */
const SWITCHED_OFF =
  'accelerometer ambient-light-sensor autoplay battery camera cross-origin-isolated display-capture document-domain ' +
  'encrypted-media execution-while-not-rendered execution-while-out-of-viewport fullscreen geolocation gyroscope ' +
  'keyboard-map magnetometer microphone midi navigation-override payment picture-in-picture ' +
  'publickey-credentials-get screen-wake-lock sync-xhr usb web-share xr-spatial-tracking clipboard-read ' +
  'clipboard-write gamepad speaker-selection conversion-measurement focus-without-user-activation hid idle-detection ' +
  'interest-cohort serial sync-script trust-token-redemption window-placement vertical-scroll';

const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "connect-src 'self' http://localhost:* https://icp0.io https://*.icp0.io https://icp-api.io",
  "img-src 'self' data:",
  "style-src * 'unsafe-inline'",
  "style-src-elem * 'unsafe-inline'",
  'font-src *',
  "object-src 'none'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  'upgrade-insecure-requests',
  '',
].join(';');

/** `src/canisters/frontend/ic-asset/src/security_policy.rs` of dfinity/sdk. */
const HEADERS: readonly Header[] = [
  ['Content-Security-Policy', CONTENT_SECURITY_POLICY],
  [
    'Permissions-Policy',
    SWITCHED_OFF.split(' ')
      .map((feature) => `${feature}=()`)
      .join(', '),
  ],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'same-origin'],
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-XSS-Protection', '1; mode=block'],
];

/** The headers of a security policy. Standard and hardened have the same; hardened expects the site to add its own. */
export function securityHeaders(policy: SecurityPolicy): readonly Header[] {
  return policy === 'disabled' ? [] : HEADERS;
}
