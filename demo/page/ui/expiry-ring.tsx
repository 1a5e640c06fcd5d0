/** Remaining lifetime of an access token: a ring that empties, and the time. */
import type { TokenSet } from 'foyer-sdk'
import { useMemo } from 'preact/hooks'
import { duration, exact } from '../foundation/format-time'
import { useEverySecond } from '../foundation/every-second'

const RADIUS = 15.9155
/** With this radius the circumference of the ring is 100. */
const FULL = 100

interface Props {
  tokens: TokenSet
  /** Returns the session's time, which may be set forward. */
  now: () => number
}

export function ExpiryRing({ tokens, now }: Props) {
  const { expiresAt } = tokens
  const begun = useMemo(now, [tokens])
  useEverySecond()
  const left = expiresAt - now()
  const offset = FULL * (1 - Math.max(0, left) / Math.max(1, expiresAt - begun))
  return (
    <div class="expiry">
      <svg class="ring" viewBox="0 0 36 36" aria-hidden="true">
        <circle class="ring-track" cx={18} cy={18} r={RADIUS} />
        <circle
          class="ring-bar"
          cx={18}
          cy={18}
          r={RADIUS}
          stroke-dasharray={FULL}
          stroke-dashoffset={offset}
          transform="rotate(-90 18 18)"
        />
      </svg>
      <p>
        <strong class="expiry-words">{left > 0 ? `Expires in ${duration(left)}` : 'Expired: renewed with the next call'}</strong>
        <span class="hint">
          Access token, until <time datetime={new Date(expiresAt).toISOString()}>{exact(expiresAt)}</time>
        </span>
      </p>
    </div>
  )
}
