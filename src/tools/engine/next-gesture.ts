/** Runs code inside a gesture of the player, since browsers block popups elsewhere. */
import { systemClock } from '../../shared/foundation/clock'

const GESTURES = ['pointerup', 'touchend', 'click', 'keydown'] as const
/**
 * Delays in ms after a gesture at which its code may still run: engines process input in a later frame. WebKit opens no popup in a frame,
 * but in timers of at most one second that a gesture has set.
 */
const DELAYS = [0, 20, 60, 150, 400, 900] as const

export interface Gestures {
  /** Runs the code in the current gesture, or in the next one. Returns a function that gives up, or undefined if the code has run. */
  run(code: () => void): (() => void) | undefined
  /** Removes the listeners. */
  stop(): void
}

/** Listens from now on, before the engine's own listeners, which may stop the events. Without a page, code runs at once. */
export function listenForGestures(): Gestures {
  let waiting: (() => void) | undefined
  const take = () => {
    const code = waiting
    waiting = undefined
    code?.()
  }
  const onGesture = (event: Event) => {
    if (!isGesture(event)) return
    take()
    for (const delay of DELAYS) systemClock.after(delay, take)
  }
  const isPage = typeof window !== 'undefined'
  if (isPage) for (const name of GESTURES) window.addEventListener(name, onGesture, true)
  return {
    run(code) {
      if (!isPage || isGesture(window.event) || isGestureRemembered()) {
        code()
        return undefined
      }
      waiting = code
      return () => {
        if (waiting === code) waiting = undefined
      }
    },
    stop() {
      if (isPage) for (const name of GESTURES) window.removeEventListener(name, onGesture, true)
    },
  }
}

/**
 * A few seconds after a gesture, browsers still open popups for code outside of it: a frame may be that late while a game loads. WebKit also
 * reports that activation, but opens none.
 */
function isGestureRemembered(): boolean {
  const { userActivation, vendor }: Partial<Pick<Navigator, 'userActivation' | 'vendor'>> = navigator
  return (userActivation?.isActive ?? false) && !vendor?.startsWith('Apple')
}

/**
 * The end of a touch is a gesture; of a mouse only the click is one in every browser, even if the engine has prevented the press. A key that
 * only closes something is none, nor is an event of a script.
 */
function isGesture(event: Event | undefined): boolean {
  if (!event?.isTrusted || !GESTURES.some((name) => name === event.type)) return false
  if (event.type === 'pointerup' && event instanceof PointerEvent && event.pointerType === 'mouse')
    return false
  const { userActivation }: Partial<Pick<Navigator, 'userActivation'>> = navigator
  return userActivation?.isActive ?? !(event instanceof KeyboardEvent && event.key === 'Escape')
}
