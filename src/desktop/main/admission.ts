/** Admission of pages to the client of the main process. */
import type { IpcMainInvokeEvent, WebContents } from 'electron'
import { isText } from '../../shared/foundation/untrusted-values'
import { ConfigurationError } from '../../shared/foundation/errors'
import { shown } from '../../shared/foundation/log-entry'

/** Page that may use the client. */
export interface WindowRule {
  /**
   * Origin of the page, compared exactly: `app://game`, `https://game.example`, `http://localhost:5173`, or `file://`, which includes every
   * local file that a window may load. A custom protocol (`protocol.handle`) is safer.
   */
  origin: string
  /** Returns true for windows that may receive tokens; codes are always withheld. Default: none; a page without tokens cannot leak them. */
  tokens?: ((window: WebContents) => boolean) | undefined
}

/** Permissions of a window. */
export interface Admission {
  tokens: boolean
}

/** Scheme and authority only. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#@\s]*$/

const ORIGIN_REMEDY =
  "Write { origin: 'app://game' }, the origin of the page without path and slash at the end"

/** @throws ConfigurationError `invalid_argument` unless `rules` is a list of valid origins. */
export function requireRules(rules: readonly WindowRule[]): readonly WindowRule[] {
  if (!Array.isArray(rules))
    throw new ConfigurationError('invalid_argument', 'windows: a list', {
      remedy: "Write [{ origin: 'app://game' }]",
    })
  for (const rule of rules)
    if (!isText(rule?.origin, ORIGIN))
      throw new ConfigurationError('invalid_argument', 'windows.origin', { remedy: ORIGIN_REMEDY })
  return rules
}

/** Sender of a message. Electron's getters may throw for closed frames. */
type Sender = Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>

/**
 * Checks the sender of every message, because a window may have navigated. Only the top frame is allowed, because other frames can contain
 * any page.
 *
 * @throws ConfigurationError `untrusted_window`.
 */
export function admit({ sender, senderFrame }: Sender, rules: readonly WindowRule[]): Admission {
  const rule =
    senderFrame && !senderFrame.parent ? rules.find(({ origin }) => origin === senderFrame.origin) : undefined
  if (!rule) throw new ConfigurationError('untrusted_window', '', { remedy: remedyFor(senderFrame, rules) })
  return { tokens: rule.tokens?.(sender) === true }
}

/** Names both sides: a page of the game may be loaded from another place than the list says. */
function remedyFor(frame: Sender['senderFrame'], rules: readonly WindowRule[]): string {
  if (!frame || frame.parent) return 'Call it in the page of the window itself, not in a frame'
  const listed = rules.map(({ origin }) => origin).join(', ')
  return `This page is ${shown(frame.origin)}, windows lists ${listed}: add its origin if the page is yours`
}

/** Like `admit`, but returns undefined instead of throwing. */
export function admitted(sender: () => Sender, rules: readonly WindowRule[]): Admission | undefined {
  try {
    return admit(sender(), rules)
  } catch {
    return undefined
  }
}
