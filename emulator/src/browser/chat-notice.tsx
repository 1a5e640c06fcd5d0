/** Notice above the composer: a lost connection, and the result of the player's last action. */
import { html, useCallback, useState } from './preact.js'

/** State of both notices. A connection notice is cleared by the next response. */
export function useNotice() {
  const [reached, setReached] = useState(true)
  const [notice, setNotice] = useState()
  const noteReached = useCallback((answers) => {
    setReached(answers)
    if (answers) setNotice((shown) => (shown?.unreachable ? undefined : shown))
  }, [])
  const clear = useCallback(() => setNotice(undefined), [])
  return { reached, notice, setNotice, noteReached, clear }
}

export function Notice({ reached, notice, clear }) {
  return html`${
    !reached && html`<p class="notice warn" role="alert">The emulator does not answer. This page goes on by itself when it is back.</p>`
  }
  ${
    notice &&
    html`<div class="notice ${notice.tone}" role="alert">
      <p>${notice.text}</p>
      <button type="button" onClick=${clear} aria-label="Dismiss">✕</button>
    </div>`
  }`
}

/** The message for the player, and the detail for the developer. */
export function wordsFor({ kind, because, code, problem, unreachable }) {
  if (problem) return { text: problem, tone: 'bad', unreachable }
  if (kind === 'failed') return { text: `The application did not respond: ${because}.`, tone: 'bad' }
  if (code === 40043) return { text: 'This command is outdated. It was loaded anew: try again.', tone: 'warn' }
  if (code === 50013) return { text: `Permission Denied: ${because.replace(/^Missing Permissions: /, '')}.`, tone: 'bad' }
  return { text: `Not sent: ${because}.`, tone: 'warn' }
}
