/** The port through which a player is shown the authorize page: a popup, the page itself, a system browser, or a test. */
import type { Attempt } from './request'
import type { AuthorizationResult } from './result'

export interface OpenOptions {
  /** The attempt's `state`, which its answer will carry. */
  state: string
  /** Aborts when nobody waits for the answer any more: close the window, stop listening. */
  signal: AbortSignal
  /** Whether a URL that arrived answers this attempt. A surface that can go on listening lets all others pass. */
  belongs: (url: string) => boolean
  /** Tells that the window seems to be gone. It is a hint: a page with `Cross-Origin-Opener-Policy` reads as closed while alive. */
  maybeClosed: () => void
}

/** What shows the page and brings the answer back. Games and tests may write their own. */
export interface AuthorizationSurface {
  /**
   * Where the answer will arrive. A plain string keeps `authorize` synchronous up to `open`; a loopback server answers with a promise.
   * Without it the answer goes to the custom scheme: `<brand>-<client id>:/authorize/callback` (S:200).
   */
  redirectUri?(): string | Promise<string>
  /** Shows the page; called inside the player's gesture. Resolves with the whole callback URL as it arrived, unchecked. */
  open(url: string, options: OpenOptions): Promise<string>
  /**
   * Only where opening leaves the page: called just before, with what must outlive it, so that `handleCallback` on the next page can
   * complete the attempt. It holds the code verifier, so it must stay on the machine.
   */
  keep?(attempt: Attempt, signal: AbortSignal): void
  /** @internal Instead of `open`, inside an Activity: the host window asks the player and hands over the code itself. */
  ask?(url: string, attempt: Attempt, signal: AbortSignal): Promise<AuthorizationResult>
}
