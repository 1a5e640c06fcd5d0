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
      /**
       * Options of a client that the provider creates once, and closes when it is unmounted. A text, number or boolean that changes later is an
       * error: give the provider a `key` that changes with it. Objects may be new ones in each render.
       */
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
 * @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`, for wrong `options`, for options that change
 *   while the provider is mounted, and without one of `options` and `client`.
 * @example
 * ```tsx
 * <FoyerProvider options={{ applicationId: '1234567890123456789', service: { host: 'https://service.example' } }}>
 *   <Game />
 * </FoyerProvider>
 * ```
 */
export function FoyerProvider(props: FoyerProviderProps): ReactNode {
  const [store, setStore] = useState(() => createStore(props))
  // Kept when the provider is shown again: it was mounted with them.
  const [given] = useState(() => valuesOf(props))
  requireSame(given, props)
  if (props.client && props.client !== store.client) setStore(createStore(props))
  useEffect(() => {
    // A hidden tree that is shown again keeps its state: its client was closed with its effects.
    if (!store.isClosed) return store.mount()
    setStore(createStore(props))
    return undefined
  }, [store])
  return createElement(Context.Provider, { value: store }, props.children)
}

type Values = Readonly<Record<string, unknown>>

/** Options whose change can be seen, by name. Objects may be new in each render: `tokenStore: indexedDbStore()`. */
function valuesOf({ options }: FoyerProviderProps): Values {
  const service = Object.entries({ ...options?.service }).map(([name, value]) => [`service.${name}`, value])
  return Object.fromEntries(
    [...Object.entries({ ...options }), ...service].filter(([, value]) => typeof value !== 'object'),
  )
}

/** @throws ConfigurationError `invalid_argument` for options that are not those of the client. */
function requireSame(given: Values, props: FoyerProviderProps): void {
  if (!props.options) return
  const now = valuesOf(props)
  const changed = [...new Set([...Object.keys(given), ...Object.keys(now)])].filter(
    (name) => typeof now[name] !== 'function' && now[name] !== given[name],
  )
  if (changed.length > 0)
    throw new ConfigurationError('invalid_argument', `FoyerProvider: options ${changed.join(', ')}`, {
      remedy:
        'They have changed, and the client was created with the earlier ones: give the provider a key that changes with them, as <FoyerProvider key={profile} options={…}>',
    })
}

function createStore({ client, options }: FoyerProviderProps): ClientStore {
  if ((client ?? undefined) === undefined ? !options : options)
    throw new ConfigurationError('invalid_argument', 'FoyerProvider', {
      remedy: client
        ? 'Give either client or options: options are for a client that the provider creates'
        : 'Give options={{ applicationId, service }}, or client={client} with a client of your own',
    })
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
