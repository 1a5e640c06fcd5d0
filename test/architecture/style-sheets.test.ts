/** Sizes of text, spaces and corners of the pages come from one scale, in `emulator/page/tokens.css`. No two style sheets of a page style the same selector. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const TOKENS = 'emulator/page/tokens.css'
const KIT = ['reset', 'kit'].map((name) => `emulator/page/${name}.css`)
const emulatorPage = (...names: string[]) => [
  ...KIT,
  ...['look', ...names].map((name) => `emulator/page/${name}.css`),
]

/** Style sheets that are loaded together. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  demo: [...KIT, 'demo/style.css', 'demo/workbench.css', 'demo/sign-in-screen.css'],
  electron: [...KIT.slice(0, 1), 'demo/electron/page/style.css'],
  documents: emulatorPage('pages'),
  inspector: emulatorPage('inspector'),
  chat: emulatorPage('chat', 'chat-message', 'chat-form'),
  activity: emulatorPage('host'),
}

const read = (path: string) => readFileSync(path, 'utf8')
const withoutComments = (text: string) =>
  text
    .split('/*')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf('*/') + 2)))
    .join('')

interface Rule {
  selector: string
  /** Media query and the like around it, or an empty text. */
  within: string
  declarations: readonly (readonly [name: string, value: string])[]
}

/** Rules in the order of the text. A nested block closes the list of its parent's declarations. */
function rulesOf(text: string): Rule[] {
  const rules: Rule[] = []
  const open: string[] = []
  let words = ''
  let declarations: [string, string][] = []
  const take = () => {
    const colon = words.indexOf(':')
    if (colon > 0) declarations.push([words.slice(0, colon).trim(), words.slice(colon + 1).trim()])
    words = ''
  }
  for (const character of withoutComments(text)) {
    if (character === ';') take()
    else if (character === '{') {
      open.push(words.trim().split(/\s+/).join(' '))
      words = ''
      declarations = []
    } else if (character === '}') {
      take()
      const selector = open.pop() ?? ''
      if (declarations.length > 0) rules.push({ selector, within: open.join(' '), declarations })
      declarations = []
    } else words += character
  }
  return rules
}

const SPACE = /^(?:padding|margin|gap|row-gap|column-gap)(?:-|$)/
const CORNER = /^border(?:-[a-z]+)*-radius$/
const LENGTH = /\d(?:px|r?em|vw|vh|ch)\b/

/** Returns why a declaration is not of the scale, or undefined. */
function faultOf(name: string, value: string): string | undefined {
  if (name === 'font-size' || name === 'font') {
    const sizes = value
      .split('/', 1)
      .flatMap((part) => part.split(/\s/))
      .filter((word) => LENGTH.test(word))
    return sizes.length > 0 ? `${sizes.join(' ')} is no size of text` : undefined
  }
  const isScaled = SPACE.test(name) || CORNER.test(name)
  // A part that moves by the size of another one is calculated from it, and from a space.
  const isCalculated = value.includes('calc(') && value.includes('var(--space-')
  if (!isScaled || isCalculated || !LENGTH.test(value)) return undefined
  return `${value} is no ${CORNER.test(name) ? 'corner' : 'space'}`
}

const faultsOf = (path: string, text: string): string[] =>
  rulesOf(text).flatMap(({ selector, declarations }) =>
    declarations.flatMap(([name, value]) => {
      const fault = faultOf(name, value)
      return fault === undefined ? [] : [`${path}: ${selector} { ${name} }: ${fault}`]
    }),
  )

/** Parts of a list of selectors. A comma in brackets divides nothing. */
function partsOf(list: string): string[] {
  const parts = ['']
  let depth = 0
  for (const character of list) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0
    if (character === ',' && depth === 0) parts.push('')
    else parts.push(`${parts.pop()}${character}`)
  }
  return parts.map((part) => part.trim())
}

/** Selectors with a class that more than one sheet of a page has, outside of media queries. */
function collisions(sheets: Readonly<Record<string, string>>): string[] {
  const places = new Map<string, Set<string>>()
  for (const [path, text] of Object.entries(sheets))
    for (const { selector, within } of rulesOf(text))
      if (within === '')
        for (const one of partsOf(selector).filter((part) => part.includes('.')))
          places.set(one, (places.get(one) ?? new Set()).add(path))
  return [...places].flatMap(([selector, paths]) =>
    paths.size > 1 ? [`${selector}: ${[...paths].join(', ')}`] : [],
  )
}

const SHEETS = [...new Set(Object.values(PAGES).flat())]

describe('the style sheets of demo and emulator', () => {
  test('are all known here', () => {
    const found = ['demo', 'demo/electron/page', 'emulator/page'].flatMap((folder) =>
      readdirSync(folder).flatMap((name) => (name.endsWith('.css') ? [`${folder}/${name}`] : [])),
    )
    expect(found.toSorted()).toEqual([...SHEETS, TOKENS].toSorted())
  })

  test.each(SHEETS)('%s takes sizes of text, spaces and corners from the tokens', (path) => {
    expect(faultsOf(path, read(path))).toEqual([])
  })

  test('a value of its own is reported', () => {
    const text = `.a { padding: var(--space-4) 5px; font: 600 13px/1.4 var(--sans) }
      @media (width < 40em) { .b { margin: calc(-1 * var(--space-8)); border-top-left-radius: 7px } }
      /* .c { gap: 3px } */
      .d { gap: 0; font: inherit; font-size: 0.9rem; width: 5px; border-radius: var(--round) }`
    expect(faultsOf('x.css', text)).toEqual([
      'x.css: .a { padding }: var(--space-4) 5px is no space',
      'x.css: .a { font }: 13px is no size of text',
      'x.css: .b { border-top-left-radius }: 7px is no corner',
      'x.css: .d { font-size }: 0.9rem is no size of text',
    ])
  })

  test('the scale has six sizes of text, ten spaces and four corners, and each is used', () => {
    const [root] = rulesOf(read(TOKENS))
    const names = root?.declarations.map(([name]) => name) ?? []
    const all = SHEETS.map(read).join('\n')
    const count = (pattern: RegExp) => names.filter((name) => pattern.test(name)).length
    expect([count(/^--text-\d/), count(/^--space-\d/), count(/^--(?:radius-\d|round$)/)]).toEqual([6, 10, 4])
    expect(
      names.filter((name) => /^--(?:text|space|radius|round)/.test(name) && !all.includes(`var(${name})`)),
    ).toEqual([])
  })

  test.each(Object.entries(PAGES))('no selector of the page %s is styled by two sheets', (_, paths) => {
    expect(collisions(Object.fromEntries(paths.map((path) => [path, read(path)])))).toEqual([])
  })

  test('a selector of two sheets is reported', () => {
    const sheets = {
      'a.css': '.bar, :is(.list, .bar) p { color: red }',
      'b.css': '.list .bar { gap: 0 } .bar { gap: 0 }',
    }
    expect(collisions(sheets)).toEqual(['.bar: a.css, b.css'])
  })
})
