/** Provider of a client for all hooks below it. */
'use client'

import { createContext, createElement, type ReactNode, useContext, useEffect, useState } from 'react'
import { Client, ConfigurationError } from 'foyer-sdk'
import type { ClientOptions } from '../../client/context/client-options'
import { ClientStore } from './client-store'

/** Properties of `FoyerProvider`: either `options` or `client`. */
export type FoyerProviderProps = {
  /** The part of the game that uses the hooks. */
  children?: ReactNode
} & (
  | {
      /** Options of a client that the provider creates, and closes when it is unmounted. Later changes have no effect: change its `key`. */
      options: ClientOptions
      /** Absent with `options`. */
      client?: undefined
    }
  | {
      /** A client of the game's own, for example of `connectMainClient()`. The provider never closes it. */
      client: Client
      /** Absent with `client`. */
      options?: undefined
    }
)

const Context = createContext<ClientStore | null>(null)

/**
 * Provides a client to the hooks below it, and restores the player's session when it is mounted.
 *
 * @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`, for wrong `options`.
 * @example
 * ```tsx
 * <FoyerProvider options={{ applicationId: '1234567890123456789', service: { host: 'https://service.example' } }}>
 *   <Game />
 * </FoyerProvider>
 * ```
 */
export function FoyerProvider(props: FoyerProviderProps): ReactNode {
  const [store, setStore] = useState(() => createStore(props))
  if (props.client && props.client !== store.client) setStore(createStore(props))
  useEffect(() => {
    // A hidden tree that is shown again keeps its state: its client was closed with its effects.
    if (!store.isClosed) return store.mount()
    setStore(createStore(props))
    return undefined
  }, [store])
  return createElement(Context.Provider, { value: store }, props.children)
}

function createStore({ client, options }: FoyerProviderProps): ClientStore {
  return client
    ? new ClientStore(client, { isOwned: false })
    : new ClientStore(new Client(options), { isOwned: true })
}

/** Returns the state of the client of the nearest provider. @throws ConfigurationError `invalid_argument` without a provider. */
export function useClientStore(): ClientStore {
  const store = useContext(Context)
  if (!store)
    throw new ConfigurationError('invalid_argument', 'FoyerProvider', {
      remedy: 'Put a <FoyerProvider> around the component',
    })
  return store
}

/**
 * Returns the client of the nearest `FoyerProvider`, for all calls that have no hook. Its methods reject as documented.
 *
 * @throws ConfigurationError `invalid_argument` without a provider.
 */
export function useClient(): Client {
  return useClientStore().client
}
