/** What a developer can do about an error: one sentence for each code, at the end of its message. docs/errors.md says more. */

/** Of errors that come before anything else is loaded, and short therefore: the refusals of the service have theirs beside them. An error that knows more gives its own (`ErrorDetails.remedy`). */
export const REMEDIES: Readonly<Record<string, string>> = {
  missing_service_host: "Name the service: { service: { host: 'https://…' } }",
  missing_application_id: 'Give applicationId to the client, or clientId to the call',
  insecure_endpoint: 'It needs https:// (http:// on localhost and 127.0.0.1 only), no credentials and no fragment',
  closed: 'It was closed before: make a new one',
  popup_blocked: 'Call signIn() in the click handler, before any await, or use redirectSurface()',
  state_mismatch: 'It was used, has expired, or began elsewhere: sign in again',
  issuer_mismatch: 'service.issuer must be what the service calls itself',
  redirect_mismatch: 'The answer must come to the redirectUri that was sent',
  signed_out: 'Call signIn() first, or resume() when the page starts, and wait for it',
  connection_failed: 'Is the service running, and do the Content Security Policy (connect-src) and CORS allow it?',
}
