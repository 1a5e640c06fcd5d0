/** Markdown of messages, as the chat page receives it: text, names and addresses of the web, whatever a message contains. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const id = '211842960158326785'

let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())

/** Nodes of a message with this content. */
async function parsed(content: string): Promise<unknown> {
  emulator.interactions.say({ as: 'ada', content })
  const response = await fetch(`${emulator.url}/chat/api/view?as=ada`)
  const { markdown } = (await response.json()) as { markdown: Record<string, unknown> }
  return markdown[content]
}

const text = (value: string) => ({ type: 'text', text: value })
const mark = (type: string, ...children: unknown[]) => ({ type, children })

describe('a message', () => {
  it.each([
    ['**bold**', mark('bold', text('bold'))],
    ['*one* ', mark('italic', text('one'))],
    ['_one_', mark('italic', text('one'))],
    ['__line__', mark('underline', text('line'))],
    ['~~gone~~', mark('strikethrough', text('gone'))],
    ['||secret||', mark('spoiler', text('secret'))],
    ['***both***', mark('italic', mark('bold', text('both')))],
    ['`a **b**`', { type: 'code', text: 'a **b**' }],
    ['```ts\nlet a\n```', { type: 'codeBlock', language: 'ts', text: 'let a' }],
    ['> quoted', mark('quote', text('quoted'))],
    ['>>> a\nb', mark('quote', text('a'), { type: 'break' }, text('b'))],
    ['## Title', { type: 'heading', level: 2, children: [text('Title')] }],
    ['-# small', mark('subtext', text('small'))],
    [`<@${id}>`, { type: 'user', id }],
    [`<@&${id}>`, { type: 'role', id }],
    [`<#${id}>`, { type: 'channel', id }],
    [`</duel start:${id}>`, { type: 'command', name: 'duel start' }],
    [`<a:wave:${id}>`, { type: 'emoji', name: 'wave' }],
    ['@everyone', { type: 'everyone' }],
    ['<t:1618953630:R>', { type: 'timestamp', seconds: 1618953630, style: 'R' }],
    ['<t:1618953630>', { type: 'timestamp', seconds: 1618953630, style: 'f' }],
    [
      '[map](https://maps.example/a_(b))',
      { type: 'link', url: 'https://maps.example/a_(b)', children: [text('map')] },
    ],
    [
      '<https://a.example>',
      { type: 'link', url: 'https://a.example', children: [text('https://a.example')] },
    ],
  ])('%s has a node for its mark', async (content, first) => {
    expect(await parsed(content)).toMatchObject([first, ...(content.endsWith(' ') ? [text(' ')] : [])])
  })

  it('has lists inside lists, and one of another kind beside the first', async () => {
    const inner = { type: 'list', items: [[text('b')], [text('c')]] }
    expect(await parsed('- a\n  - b\n  - c\n- d\n3. e\nend')).toEqual([
      { type: 'list', items: [[text('a'), inner], [text('d')]] },
      { type: 'list', start: 3, items: [[text('e')]] },
      text('end'),
    ])
  })

  it.each([
    '[a](javascript:alert(1))',
    '<javascript:alert(1)>',
    '[a](data:text/html,b)',
    '[a](//b.example)',
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '[a](https://)',
    'snake_case_word',
    '\u202Eabc\u2066',
  ])('%s is text', async (content) => {
    expect(await parsed(content)).toEqual([text(content)])
  })

  it.each([
    ['stars', '*'.repeat(2000)],
    ['brackets', '['.repeat(2000)],
    ['links without end', '[a]('.repeat(500)],
    ['links with parentheses', `[a](https://${'('.repeat(1980)}`],
    ['marks inside marks', '**_'.repeat(660)],
    ['underlines and stars', '__a*'.repeat(500)],
    ['backslashes', `*${'\\'.repeat(1990)}a`],
    ['lists in lists', '- '.repeat(999) + 'a'],
    ['quotes', '>>> '.repeat(499) + 'a'],
    ['open tags', '<'.repeat(2000)],
  ])('of %s is parsed to its end', { timeout: 30_000 }, async (_, content) => {
    expect(await parsed(content)).toBeInstanceOf(Array)
  })

  it('nested deeper than anybody reads is text from there on', async () => {
    const deep = `${'||**'.repeat(50)}a${'**||'.repeat(50)}`
    const nodes = await parsed(deep)
    const depth = (node: unknown): number =>
      Array.isArray(node) ? Math.max(0, ...node.map(depth)) : 1 + depth(Object(node).children ?? [])
    expect(depth(nodes)).toBeLessThan(20)
  })
})
