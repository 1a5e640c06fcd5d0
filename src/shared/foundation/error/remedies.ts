/** Remedies: one sentence for each code, appended to the message. docs/errors.md has more. */

/**
 * Remedies for errors that can occur before anything else is loaded, and therefore short: all others are next to the code that creates the
 * error. `ErrorDetails.remedy` overrides them.
 */
export const REMEDIES: Readonly<Record<string, string>> = {
  missing_service_host: "Name the service: { service: { host: 'https://…' } }",
  missing_application_id: 'Give applicationId to the client, or clientId to the call',
  insecure_endpoint: 'It needs https:// (http:// on localhost and 127.0.0.1 only), no credentials and no fragment',
  closed: 'It was closed: create a new one',
  popup_blocked: 'Call signIn() in the click handler, before any await, or use redirectSurface()',
  state_mismatch: 'It was used, has expired, or began elsewhere: sign in again',
  surface_failed: 'See cause: is the surface made by a call?',
  player_unknown: 'The tokens are kept: call resume() to ask again, without another consent',
  signed_out: 'Call signIn() first, or resume() when the page starts, and wait for it',
}
