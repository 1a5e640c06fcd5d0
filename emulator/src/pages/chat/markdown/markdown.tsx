/** Shows parsed Markdown as elements: text, marks, lists, links, mentions and timestamps. */
import type { MarkdownNode } from '../../../service/chat/markdown-node.js'
import { useChat, webAddress, type ChatContextValue } from '../shared/chat-context.js'
import { CustomEmoji } from '../shared/emoji.js'
import { Spoiler } from './spoiler.js'
import { Timestamp } from './timestamp.js'
import type { ComponentChildren } from 'preact'

export function Markdown({ text, class: name = '' }: { text: string; class?: string }) {
  const { markdown } = useChat()
  const nodes = Object.hasOwn(markdown, text) ? markdown[text] : undefined
  return (
    <div class={`text ${name}`} dir="auto">
      <Nodes nodes={nodes ?? [{ type: 'text', text }]} />
    </div>
  )
}

function Nodes({ nodes }: { nodes: MarkdownNode[] }) {
  return (
    <>
      {nodes.map((node, index) => (isBreakAfterBlock(node, nodes[index - 1]) ? null : <Node node={node} />))}
    </>
  )
}

/** A block ends its line by itself. */
function isBreakAfterBlock({ type }: MarkdownNode, previous: MarkdownNode | undefined): boolean {
  return (
    type === 'break' && ['codeBlock', 'quote', 'list', 'heading', 'subtext'].includes(previous?.type ?? '')
  )
}

function Node({ node }: { node: MarkdownNode }): ComponentChildren {
  switch (node.type) {
    case 'text':
      return node.text
    case 'break':
      return <br />
    case 'code':
      return <code>{node.text}</code>
    case 'codeBlock':
      return (
        <pre class="code-block" data-language={node.language || undefined} dir="ltr">
          <code>{node.text}</code>
        </pre>
      )
    case 'link':
      return <Link url={webAddress(node.url)} nodes={node.children} />
    case 'list':
      return <List start={node.start} items={node.items} />
    case 'timestamp':
      return <Timestamp seconds={node.seconds} style={node.style} />
    case 'user':
    case 'role':
    case 'channel':
    case 'command':
    case 'emoji':
    case 'everyone':
    case 'here':
    case 'navigation':
      return <Mention node={node} />
    case 'bold':
    case 'italic':
    case 'underline':
    case 'strikethrough':
    case 'quote':
    case 'subtext':
    case 'spoiler':
    case 'heading':
      return <Marked node={node} />
    default:
      return null
  }
}

function Link({ url, nodes }: { url: string | undefined; nodes: MarkdownNode[] }) {
  if (url === undefined) return <Nodes nodes={nodes} />
  return (
    <a href={url} title={url} target="_blank" rel="noopener noreferrer">
      <Nodes nodes={nodes} />
    </a>
  )
}

function Marked({
  node,
}: {
  node: Exclude<Extract<MarkdownNode, { children: MarkdownNode[] }>, { type: 'link' }>
}) {
  const content = <Nodes nodes={node.children} />
  switch (node.type) {
    case 'bold':
      return <strong>{content}</strong>
    case 'italic':
      return <em>{content}</em>
    case 'underline':
      return <u>{content}</u>
    case 'strikethrough':
      return <s>{content}</s>
    case 'quote':
      return <blockquote>{content}</blockquote>
    case 'subtext':
      return <small class="subtext">{content}</small>
    case 'spoiler':
      return <Spoiler text={plainText(node.children)}>{content}</Spoiler>
    case 'heading':
      return (
        <div role="heading" aria-level={2} class={`heading size-${node.level}`}>
          {content}
        </div>
      )
    default:
      return content
  }
}

function List({ start, items }: { start: number | undefined; items: MarkdownNode[][] }) {
  const entries = items.map((item) => (
    <li>
      <Nodes nodes={item} />
    </li>
  ))
  return start === undefined ? <ul>{entries}</ul> : <ol start={start}>{entries}</ol>
}

/** The text without its marks. */
function plainText(nodes: MarkdownNode[]): string {
  return nodes
    .map((node) => {
      if ('text' in node) return node.text
      if ('children' in node) return plainText(node.children)
      return node.type === 'list' ? node.items.map(plainText).join(' ') : ' '
    })
    .join('')
}

type MentionNode = Exclude<
  MarkdownNode,
  | { type: 'text' | 'code' | 'break' | 'codeBlock' | 'timestamp' }
  | { children: MarkdownNode[] }
  | { items: MarkdownNode[][] }
>

function Mention({ node }: { node: MentionNode }) {
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
