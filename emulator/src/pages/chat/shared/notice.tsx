/** Notice above the composer: a lost connection, and the result of the player's last action. */
import { useCallback, useState } from 'preact/hooks'
import type { ActionResult } from './chat-data.js'

export interface NoticeText {
  text: string
  tone: 'bad' | 'warn'
  /** True if it says that nothing answered. */
  unreachable?: boolean | undefined
}

/** State of both notices. A connection notice is cleared by the next response. */
export function useNotice() {
  const [reached, setReached] = useState(true)
  const [notice, setNotice] = useState<NoticeText>()
  const noteReached = useCallback(({ answers }: { answers: boolean }) => {
    setReached(answers)
    if (answers) setNotice((shown) => (shown?.unreachable ? undefined : shown))
  }, [])
  const clear = useCallback(() => setNotice(undefined), [])
  return { reached, notice, setNotice, noteReached, clear }
}

export function Notice({
  reached,
  notice,
  clear,
}: {
  reached: boolean
  notice: NoticeText | undefined
  clear: () => void
}) {
  return (
    <>
      {!reached && (
        <p class="notice warn" role="alert">
          The emulator does not answer. This page goes on by itself when it is back.
        </p>
      )}
      {notice && (
        <div class={`notice ${notice.tone}`} role="alert">
          <p>{notice.text}</p>
          <button type="button" onClick={clear} aria-label="Dismiss">
            ✕
          </button>
        </div>
      )}
    </>
  )
}

/** The message for the player, and the detail for the developer. */
export function wordsFor({ kind, because = '', code, problem, unreachable }: ActionResult): NoticeText {
  if (problem) return { text: problem, tone: 'bad', unreachable }
  if (kind === 'failed') return { text: `The application did not respond: ${because}.`, tone: 'bad' }
  if (code === 40043)
    return { text: 'This command is outdated. It was loaded anew: try again.', tone: 'warn' }
  if (code === 50013)
    return { text: `Permission Denied: ${because.replace(/^Missing Permissions: /, '')}.`, tone: 'bad' }
  return { text: `Not sent: ${because}.`, tone: 'warn' }
}
