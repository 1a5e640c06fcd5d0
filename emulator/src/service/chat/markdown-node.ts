/** Parsed Markdown of a message, as the chat page receives it (types only). */

/** Marks around other nodes. */
export type MarkKind = 'bold' | 'italic' | 'underline' | 'strikethrough' | 'spoiler' | 'quote' | 'subtext'

/** Names of things that are resolved where the message is shown. */
export type MentionKind = 'user' | 'role' | 'channel'

export type MarkdownNode =
  | { type: 'text' | 'code'; text: string }
  | { type: 'break' }
  | { type: 'everyone' | 'here' }
  | { type: MarkKind; children: MarkdownNode[] }
  | { type: 'heading'; level: number; children: MarkdownNode[] }
  | { type: 'list'; start: number | undefined; items: MarkdownNode[][] }
  | { type: 'codeBlock'; language: string; text: string }
  /** `url` begins with `http:` or `https:`. */
  | { type: 'link'; url: string; children: MarkdownNode[] }
  | { type: MentionKind; id: string }
  | { type: 'command'; name: string }
  | { type: 'emoji'; name: string }
  /** `style` is one of t, T, d, D, f, F, R. */
  | { type: 'timestamp'; seconds: number; style: string }
  | { type: 'navigation'; target: string }
