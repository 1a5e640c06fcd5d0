/** Ports of lobbies: the client that they belong to, and its requests. A lobby is an argument of the client's events, so it knows no client. */
import type { Clock } from '../../shared/foundation/clock'
import type { ApplicationId } from '../../shared/foundation/ids'
import type { Api } from '../../shared/http/api'
import type { Fetch } from '../../shared/http/http-client'
import type { Log } from '../../shared/foundation/log-entry'
import type { ServiceConfig } from '../../shared/service/service-config'
import type { Caller } from '../session/caller'
import type { CurrentSession } from '../session/current-session'
import type { Session } from '../session/session'
import type { TokenStore } from '../session/token-store'
import type { LobbyUpdates } from './lobby-updates'

/** The part that only a page has. */
interface LobbyPage {
  /** Calls `listener` when the tab is closed or left. Returns an unsubscribe function. */
  onPageHide(listener: () => void): () => void
  /** The beginning of a link to the page that ends with the secret of an invitation. Undefined for a page that no link opens. */
  inviteAddress(): string | undefined
}

/** `ClientContext`, as far as lobbies need it. */
export interface ClientPort {
  readonly options: {
    readonly applicationId: ApplicationId | undefined
    readonly clock: Clock
    readonly service: Readonly<ServiceConfig>
    readonly fetch: Fetch
    readonly launchQuery: string
    readonly inviteAddress?: string | undefined
    readonly keepLobbies?: boolean | undefined
    readonly tokenStore?: TokenStore | undefined
    readonly lobbyUpdates?: LobbyUpdates | undefined
    readonly loadPage?: (() => Promise<LobbyPage>) | undefined
  }
  readonly authState: { readonly caller: Caller; readonly session: Session | null }
  readonly log: Log
  /** Aborts when the client is closed. */
  readonly closeSignal: AbortSignal
  readonly sessions: () => Promise<{ readonly currentSession: CurrentSession }>
  /** @throws ConfigurationError `closed`. */
  requireOpen(): void
}

/** `PlayerCalls`, as far as lobbies need it. */
export interface PlayerCallsPort {
  /** Services of the page, if the client has one. */
  readonly page: LobbyPage | undefined
  /** Sends requests with the token of the caller. */
  as(caller: Caller): Api
}
