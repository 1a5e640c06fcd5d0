/** Loopback listeners for sign-ins of the page: the SDK's own, as the main process of an installed game opens them. */
import { randomUUID } from 'node:crypto'

/** @import { LoadLoopback, Loopback } from './server-types' */
/** @typedef {Map<string, { loopback: Loopback, settle: (answer: { url?: string }) => void, timer: NodeJS.Timeout | undefined }>} Listeners */

/** ms until an unused listener closes, and until one closes that has received its callback. */
const UNUSED_TIMEOUT = 600_000
const CLOSE_DELAY = 60_000

/**
 * Returns acts of the page's endpoints.
 *
 * @param {LoadLoopback} load imports the listener of the SDK
 */
export function createLoopbackActs(load) {
  /** @type {Listeners} */
  const listeners = new Map()
  return {
    loopback_open: async () => {
      const { openLoopback } = await load()
      const id = randomUUID()
      const loopback = await openLoopback()
      listeners.set(id, { loopback, settle: () => undefined, timer: undefined })
      closeAfter(listeners, id, UNUSED_TIMEOUT)
      return { id, redirectUri: loopback.redirectUri }
    },
    /**
     * Answers when the callback with this state has arrived, without an address if the attempt has ended.
     *
     * @param {{ id: string, state: string }} body
     */
    loopback_answer: ({ id, state }) => awaitCallback(listeners, id, state),
    /** @param {{ id: string }} body */
    loopback_end: ({ id }) => end(listeners, id),
  }
}

/**
 * @param {Listeners} listeners
 * @param {string} id
 * @param {string} state
 * @returns {Promise<{ url?: string }>}
 */
function awaitCallback(listeners, id, state) {
  return new Promise((resolve, reject) => {
    const entry = listeners.get(id)
    if (entry === undefined) throw new Error('There is no such listener any more.')
    entry.settle = resolve
    /** @param {string} url */
    const take = (url) => {
      resolve({ url })
      end(listeners, id)
    }
    const giveUp = () => {
      reject(new Error('Too many callbacks had another state.'))
      end(listeners, id)
    }
    entry.loopback.expect({ belongs: (url) => hasState(url, state), take, giveUp })
  })
}

/**
 * Late callbacks get a page that reports the end.
 *
 * @param {Listeners} listeners
 * @param {string} id
 */
function end(listeners, id) {
  const entry = listeners.get(id)
  if (entry === undefined) return
  entry.loopback.end()
  entry.settle({})
  closeAfter(listeners, id, CLOSE_DELAY)
}

/**
 * @param {Listeners} listeners
 * @param {string} id
 * @param {number} ms
 */
function closeAfter(listeners, id, ms) {
  const entry = listeners.get(id)
  if (entry === undefined) return
  clearTimeout(entry.timer)
  entry.timer = setTimeout(() => {
    entry.loopback.close()
    listeners.delete(id)
  }, ms).unref()
}

/**
 * The SDK in the page checks the rest of the callback.
 *
 * @param {string} url
 * @param {string} state
 */
function hasState(url, state) {
  const states = new URL(url).searchParams.getAll('state')
  return states.length === 1 && states[0] === state
}
