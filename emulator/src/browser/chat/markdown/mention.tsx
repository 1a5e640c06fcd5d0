/** Mentions of users, roles, channels and commands, by the names that the player sees; custom emoji by name, since no picture is loaded. */
import type { MarkdownNode } from '../../../chat/markdown/markdown-node.js'
import { useChat, type ChatContextValue } from '../shared/chat-context.js'
import { CustomEmoji } from '../shared/emoji.js'

type MentionNode = Exclude<
  MarkdownNode,
  { type: 'text' | 'code' | 'break' | 'codeBlock' | 'timestamp' } | { children: MarkdownNode[] } | { items: MarkdownNode[][] }
>

export function Mention({ node }: { node: MentionNode }) {
  const chat = useChat()
  if (node.type === 'emoji') return <CustomEmoji name={node.name} />
  const isOwn = node.type === 'user' && node.id === chat.view.player
  return <span class={`mention${isOwn ? ' own' : ''}`}>{nameOf(node, chat)}</span>
}

function nameOf(node: MentionNode, { start, view }: ChatContextValue): string {
  switch (node.type) {
    case 'user':
      return `@${userName(node.id, start) ?? 'unknown-user'}`
    case 'role':
      return `@${view.roles.find(({ id }) => id === node.id)?.name ?? 'unknown-role'}`
    case 'channel':
      return `#${view.places.find(({ id }) => id === node.id)?.name ?? 'unknown'}`
    case 'command':
      return `/${node.name}`
    case 'navigation':
      return `#${node.target}`
    case 'emoji':
      return node.name
    case 'everyone':
      return '@everyone'
    case 'here':
      return '@here'
    default:
      return ''
  }
}

function userName(id: string, { players, application }: ChatContextValue['start']): string | undefined {
  return id === application.id ? application.name : players.find((player) => player.id === id)?.name
}
