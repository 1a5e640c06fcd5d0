/** Data that the parts of a message or form need to show names, files and parsed texts. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Markdown, Start, View } from './chat-data.js'
import { listOf, type AttachmentData } from './wire-parts.js'

export interface ChatContextValue {
  /** Id of the message or modal, for the ids of elements. */
  scope: string
  start: Start
  view: View
  markdown: Markdown
  /** Files of the message. */
  attachments: AttachmentData[]
}

export const ChatContext = createContext<ChatContextValue | undefined>(undefined)

/** @throws Error outside of a `ChatContext`. */
export function useChat(): ChatContextValue {
  const value = useContext(ChatContext)
  if (value === undefined) throw new Error('There is no ChatContext around this component.')
  return value
}

/** Locale of the player. */
export function localeOf({ start, view }: Pick<ChatContextValue, 'start' | 'view'>): string {
  return start.players.find(({ id }) => id === view.player)?.locale ?? 'en-US'
}

/** Address on this page of a file that the emulator serves; undefined for any other address, of which nothing is loaded. */
export function servedFile(
  url: string,
  { start, attachments }: Pick<ChatContextValue, 'start' | 'attachments'>,
): string | undefined {
  const name = /^attachment:\/\/(.+)$/.exec(url)?.[1]
  const address =
    name === undefined ? url : listOf(attachments).find(({ filename }) => filename === name)?.url
  const parsed = address === undefined ? null : URL.parse(address, start.origin)
  if (parsed?.origin !== start.origin || !parsed.pathname.startsWith('/attachments/')) return undefined
  return parsed.pathname
}

/** Address that a link may lead to; undefined for any scheme other than that of the web. */
export function webAddress(url: string | undefined): string | undefined {
  const parsed = typeof url === 'string' ? URL.parse(url) : null
  return parsed?.protocol === 'https:' || parsed?.protocol === 'http:' ? parsed.href : undefined
}

/** Id of an element, which other elements refer to. */
export function elementId({ scope }: Pick<ChatContextValue, 'scope'>, name: string): string {
  return `${scope}-${encodeURIComponent(name)}`
}
