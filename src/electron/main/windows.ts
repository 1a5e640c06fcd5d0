/** Which pages may use the client of the main process. */
import type { IpcMainInvokeEvent, WebContents } from 'electron'
import { isText } from '../../foundation/encoding'
import { ConfigurationError } from '../../foundation/errors'

/** A page that may use the client. */
export interface WindowRule {
  /**
   * The page's origin, compared exactly: `app://game`, `https://game.example`, `http://localhost:5173`, or `file://`, which is every
   * file of the machine that a window may load. Better serve the game under a protocol of its own (`protocol.handle`).
   */
  origin: string
  /** Which of these windows get tokens, codes aside. Default: none; a page without tokens cannot lose them. */
  tokens?: (window: WebContents) => boolean
}

/** What a window may do. */
export interface Admission {
  tokens: boolean
}

/** Scheme and host, and nothing after them. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#@\s]*$/

/** @throws ConfigurationError `invalid_argument` for what is no list, and for an origin that is none. */
export function requireRules(rules: readonly WindowRule[]): readonly WindowRule[] {
  if (!Array.isArray(rules)) throw new ConfigurationError('invalid_argument', 'windows: a list')
  for (const rule of rules) if (!isText(rule?.origin, ORIGIN)) throw new ConfigurationError('invalid_argument', 'windows.origin')
  return rules
}

/** Who speaks. Electron's own getters may throw where a frame has just gone. */
type Speaker = Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>

/**
 * Looks at who speaks, anew for every message: a window may have gone elsewhere since the last. Only the topmost frame counts, since
 * any page may stand in another.
 * @throws ConfigurationError `untrusted_window`.
 */
export function admit({ sender, senderFrame }: Speaker, rules: readonly WindowRule[]): Admission {
  const rule = senderFrame && !senderFrame.parent ? rules.find(({ origin }) => origin === senderFrame.origin) : undefined
  if (!rule) throw new ConfigurationError('untrusted_window')
  return { tokens: rule.tokens?.(sender) === true }
}

/** The same where nobody hears of a refusal. */
export function admitted(speaker: () => Speaker, rules: readonly WindowRule[]): Admission | undefined {
  try {
    return admit(speaker(), rules)
  } catch {
    return undefined
  }
}
