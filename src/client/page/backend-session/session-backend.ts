/** Interface to a backend that holds the sessions of a confidential application. */
import type { ReceivedResponse } from '../../../shared/tokens/requests/token-endpoint'

export interface SessionBackend {
  readonly origin: string
  /**
   * Resolves with a successful response, or with null if the backend has no session (401).
   *
   * @throws AuthorizationError `invalid_grant`, … @throws ConfigurationError `invalid_argument` if the backend does not know the address, or
   * the page. @throws ApiError, NetworkError, ProtocolError.
   */
  post(
    name: 'sign-in' | 'token' | 'revoke' | 'sign-out',
    body: object,
    signal?: AbortSignal,
  ): Promise<ReceivedResponse | null>
  /**
   * Asks whether the browser has kept the cookie of a sign-in. Without an answer, it counts as kept.
   *
   * @throws ConfigurationError `invalid_argument`, with the hosts of page and backend.
   */
  requireCookie(signal?: AbortSignal): Promise<void>
  /** Settles with the last sign-in that was sent: a sign-out follows it. */
  signingIn: Promise<unknown>
  /** Number of sign-outs: what was asked for before one is outdated. */
  signOuts: number
}
