/** Entry `foyer-sdk/react`: hooks for React 18 and 19. @module foyer-sdk/react */
'use client'

export { FoyerProvider, useClient } from './foyer-provider'
export type { FoyerProviderProps } from './foyer-provider'
export { useLobby } from './use-lobby'
export type { LobbyHookOptions, LobbyHookResult } from './use-lobby'
export type { LobbyHookStatus, LobbySnapshot } from './lobby-subscription'
export { useRateLimits } from './use-rate-limits'
export { useSession } from './use-session'
export type { SessionHookResult } from './use-session'
export type { SessionSnapshot } from './client-store'
