/** Parsed texts of messages and modals, each parsed once while it is shown. */
import { fieldsOf, textOf } from '../../foundation/values.js'
import type { MarkdownNode } from './markdown-node.js'
import { createMarkdownParser } from './create-markdown-parser.js'

const CAPACITY = 2000
const TEXT_DISPLAY = 10

export class ParsedTexts {
  readonly #parseMarkdown = createMarkdownParser()
  readonly #parsed = new Map<string, MarkdownNode[]>()

  /** The texts of messages or modals that may contain Markdown, each with its nodes. */
  of(parts: unknown[]): Record<string, MarkdownNode[]> {
    const texts = new Set(parts.flatMap(textsIn))
    return Object.fromEntries([...texts].map((text) => [text, this.#parse(text)]))
  }

  #parse(text: string): MarkdownNode[] {
    const known = this.#parsed.get(text)
    if (known !== undefined) return known
    const nodes = this.#parseMarkdown(text)
    this.#parsed.set(text, nodes)
    for (const oldest of [...this.#parsed.keys()].slice(0, -CAPACITY)) this.#parsed.delete(oldest)
    return nodes
  }
}

function textsIn(part: unknown): string[] {
  const { content, embeds, components } = fieldsOf(part)
  return [
    ...strings(content),
    ...listOf(embeds).flatMap(textsInEmbed),
    ...listOf(components).flatMap(textsInComponent),
  ]
}

function textsInEmbed(embed: unknown): string[] {
  const { title, description, fields } = fieldsOf(embed)
  const pairs = listOf(fields).flatMap((field) => {
    const { name, value } = fieldsOf(field)
    return strings(name, value)
  })
  return [...strings(title, description), ...pairs]
}

function textsInComponent(item: unknown): string[] {
  const { type, content, components, component } = fieldsOf(item)
  const own = type === TEXT_DISPLAY ? strings(content) : []
  return [
    ...own,
    ...[...listOf(components), component].flatMap((inner) =>
      inner === undefined ? [] : textsInComponent(inner),
    ),
  ]
}

function strings(...values: unknown[]): string[] {
  return values.flatMap((value) => textOf(value) ?? [])
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
