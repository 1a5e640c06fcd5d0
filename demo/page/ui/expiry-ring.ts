/** Remaining lifetime of an access token: a ring that empties, and the time. */
import type { TokenSet } from 'foyer-sdk'
import { h, svg } from './create-element'
import { duration, everySecond, exact } from './format-time'

const RADIUS = 15.9155
/** With this radius the circumference of the ring is 100. */
const FULL = 100

/** Creates the ring. `now` returns the session's time, which may be set forward. */
export function expiryRing({ expiresAt }: TokenSet, now: () => number): { element: HTMLElement; stop: () => void } {
  const begun = now()
  const lifetime = Math.max(1, expiresAt - begun)
  const bar = svg('circle', { class: 'ring-bar', cx: 18, cy: 18, r: RADIUS, 'stroke-dasharray': FULL, transform: 'rotate(-90 18 18)' })
  const ring = svg('svg', { class: 'ring', viewBox: '0 0 36 36', 'aria-hidden': 'true' }, [
    svg('circle', { class: 'ring-track', cx: 18, cy: 18, r: RADIUS }),
    bar,
  ])
  const words = h('strong', { class: 'expiry-words' })
  const show = () => {
    const left = expiresAt - now()
    bar.setAttribute('stroke-dashoffset', String(FULL * (1 - Math.max(0, left) / lifetime)))
    words.textContent = left > 0 ? `Expires in ${duration(left)}` : 'Expired: renewed with the next call'
  }
  show()
  const element = h('div', { class: 'expiry' }, [
    ring,
    h('p', {}, [
      words,
      h('span', { class: 'hint' }, [
        'Access token, until ',
        h('time', { datetime: new Date(expiresAt).toISOString() }, [exact(expiresAt)]),
      ]),
    ]),
  ])
  return { element, stop: everySecond(show) }
}
