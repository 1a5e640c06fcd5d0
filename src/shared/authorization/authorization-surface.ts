/** Port for showing the authorize page: a popup, the page itself, a system browser, or a test double. */
import type { Log } from '../foundation/log-entry'
import type { Attempt } from './begin-attempt'
import type { AuthorizationResult } from './authorization-result'

/** Options of `AuthorizationSurface.open`. */
export interface OpenOptions {
  /** The attempt's `state`, which the callback will contain. */
  state: string
  /** Aborts when the attempt has ended: close the window and remove listeners. */
  signal: AbortSignal
  /** Returns true if a callback URL belongs to this attempt. A surface that can keep listening should ignore other URLs. */
  belongs: (url: string) => boolean
  /** Reports that the window seems to be closed. A hint only: a page with `Cross-Origin-Opener-Policy` appears closed while it is open. */
  maybeClosed: () => void
  /** @internal The attempt, for a surface that finds out in `open` that it leaves the page. It must stay on the machine. */
  attempt?: Attempt | undefined
  /** @internal Passes an entry to the client's log. */
  log?: Log | undefined
}

/** Client that takes a link, and the link that has arrived while the app runs. Without one, links have started the app. */
export type LinkReceiver = readonly [owner: string, brand: string, arrived: string | undefined]

/**
 * Presents the authorize page and returns its callback URL. Built in: `popupSurface` and `redirectSurface`. Games and tests can implement
 * their own.
 */
export interface AuthorizationSurface {
  /**
   * Returns the redirect URI. A string keeps `authorize` synchronous up to `open`; a promise suits a loopback server. Default: the custom
   * scheme `<brand>-<client id>:/authorize/callback` (docs/interface/authorization.md#redirects).
   */
  redirectUri?(): string | Promise<string>
  /** Shows the page; called inside the player's gesture. Resolves with the complete callback URL, unmodified and unchecked. */
  open(url: string, options: OpenOptions): Promise<string>
  /**
   * Stores the attempt, for surfaces that leave the page; called before `open`. `handleCallback` on the next page completes the attempt.
   * The attempt contains the code verifier and must stay on the machine.
   */
  keep?(attempt: Attempt, signal: AbortSignal): void
  /** @internal Takes what the links of the app bring: returns the response to this client. `to`: see `takeOwnLink`. */
  takeLink?(to: LinkReceiver): Promise<string | undefined>
  /** @internal Replaces `open` inside an Activity: the host window shows the consent and returns the code. */
  ask?(url: string, attempt: Attempt, signal: AbortSignal): Promise<AuthorizationResult>
}
