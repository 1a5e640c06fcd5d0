/** Hook for the usage of the rate limits. */
'use client'

import { useMemo, useSyncExternalStore } from 'react'
import type { Client } from '../../client/page/client'
import { systemClock } from '../../shared/foundation/clock'
import { requireNumber } from '../../shared/foundation/options'
import type { RateLimitUsage } from '../../shared/rate-limit/limiter-events'
import { useClientStore } from './foyer-provider'

const NONE: readonly RateLimitUsage[] = Object.freeze([])

/**
 * Returns the usage of every rate limit, like `client.rateLimits`, and renders again when it changes: at once for a refusal, otherwise every
 * `interval` ms (default 1,000, at least 100).
 *
 * @throws ConfigurationError `invalid_argument` without a `FoyerProvider`.
 */
export function useRateLimits(interval = 1000): readonly RateLimitUsage[] {
  const { client } = useClientStore()
  const usage = useMemo(() => observeUsage(client, interval), [client, interval])
  return useSyncExternalStore(usage.subscribe, usage.getSnapshot, () => NONE)
}

/** `rateLimits` is a new list each time; this returns the same one until a number has changed. */
function observeUsage(client: Client, interval: number) {
  requireNumber(interval, 'interval', { kind: 'ms', min: 1, example: '1000' })
  let current = { list: NONE, text: '[]' }
  const getSnapshot = () => {
    const list = client.rateLimits
    const text = JSON.stringify(list)
    if (text !== current.text) current = { list, text }
    return current.list
  }
  const subscribe = (listener: () => void) => {
    let cancel: () => void
    const repeat = () => {
      listener()
      cancel = systemClock.after(interval, repeat)
    }
    cancel = systemClock.after(interval, repeat)
    const undo = [client.on('rateLimited', listener), client.on('rateLimitDelayed', listener)]
    return () => [cancel, ...undo].forEach((each) => each())
  }
  return { getSnapshot, subscribe }
}
