/** The description of the interface as OpenAPI says what its pages say: operations, statuses, fields, and what is assumed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { basisOf } from '../support/emulator-internals'
import { ROOT } from './markdown-pages'

interface Operation {
  'x-basis': string
  parameters?: { in: string; name: string }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, unknown>
}

interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties?: object }> }
}

const FOLDER = join(ROOT, 'docs/interface')
const { paths, components } = JSON.parse(readFileSync(join(FOLDER, 'openapi.json'), 'utf8')) as Description
const pages = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }))

/** Placeholders of pages and of the description have different names. */
const plain = (path: string) => path.replaceAll(/<[^>]+>|\{[^}]+\}/g, '{}')

const described = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${plain(path)}`,
    method: method.toUpperCase(),
    path,
    operation,
  })),
)

/** Operations that a page names, each with the rest of its line. */
function operationsOn(text: string): { name: string; rest: string }[] {
  return [...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE)\b *(?:\| *)?`(\/[^`?]+)`(.*)/g)].flatMap(
    ({ 1: method = '', 2: path = '', 3: rest = '' }) => [
      { name: `${method} ${plain(path)}`, rest },
      ...operationsOn(rest),
    ],
  )
}

const named = pages.flatMap(({ text }) =>
  operationsOn(text.replaceAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`]+)`/g, '$1 `$2`')),
)

/** Of operations whose line states none (docs/interface/lobbies.md#backend-endpoints). */
const USUAL: Readonly<Record<string, string>> = { 'POST /lobbies': '201', DELETE: '204' }

describe('operations', () => {
  it('that a page names are in the description, and the other way round', () => {
    const [onPages, inDescription] = [named, described].map((list) =>
      [...new Set(list.map(({ name }) => name))].toSorted(),
    )
    expect(inDescription).toEqual(onPages)
    expect(onPages?.length).toBeGreaterThan(50)
  })

  it.each(described)(
    '$name succeeds with the statuses that its page states',
    ({ name, method, operation }) => {
      const cells = named
        .filter((each) => each.name === name)
        .map(({ rest }) => rest.split(' | ').at(-1) ?? '')
      const stated = new Set(
        cells.flatMap((cell) =>
          [...cell.matchAll(/(?<![\d-])(200|201|204)(?!\d)/g)].map(([status]) => status),
        ),
      )
      const statuses = Object.keys(operation.responses).filter((status) => status.startsWith('2'))
      const expected = stated.size > 0 ? [...stated] : [USUAL[name] ?? USUAL[method] ?? '200']
      // A batch of permissions is disabled: it never succeeds.
      const isDisabled = '405' in operation.responses
      expect(statuses.toSorted()).toEqual(isDisabled ? [] : expected.toSorted())
    },
  )

  it('are stated or assumed as the emulator’s report says', () => {
    const wrong = described.filter(
      ({ method, path, operation }) => basisOf({ method, path }) !== operation['x-basis'],
    )
    expect(wrong.map(({ name }) => name)).toEqual([])
  })
})

/** Fields of the table below a heading. */
function fieldsBelow(page: string, heading: string): string[] {
  const [, section = ''] = (pages.find(({ name }) => name === page)?.text ?? '').split(`## ${heading}\n`)
  const [table = ''] = /(?:^\|.*\n)+/m.exec(section) ?? []
  return [...table.matchAll(/^\| ([a-z_]+) /gm)].map(([, field = '']) => field).toSorted()
}

const propertiesOf = (schema: string) => Object.keys(components.schemas[schema]?.properties ?? {}).toSorted()

/** Names of all properties below a schema. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => [
    ...(key === 'properties' ? Object.keys(Object(each)) : []),
    ...namesIn(each),
  ])
}

describe('fields', () => {
  it.each([
    ['lobbies.md', 'Lobby', 'Lobby', []],
    ['lobbies.md', 'Lobby member', 'LobbyMember', ['additional_name']],
    ['commands.md', 'Command', 'Command', []],
    ['commands.md', 'Options', 'Option', ['file_types']],
    ['commands.md', 'Choices', 'Choice', []],
    ['command-permissions.md', 'Guild permissions', 'GuildPermissions', []],
    ['command-permissions.md', 'Entries', 'PermissionEntry', []],
  ])(
    'of the table on %s below "%s" are those of %s, with the assumed ones',
    (page, heading, ...[schema, assumed]) => {
      const fields = fieldsBelow(page, heading)
      expect(fields.length).toBeGreaterThan(1)
      expect(propertiesOf(schema)).toEqual([...fields, ...assumed].toSorted())
    },
  )

  it('of every body and response are named on a page', () => {
    const text = pages.map((page) => page.text).join('\n')
    const names = new Set([
      ...namesIn(paths),
      ...namesIn(components),
      ...described.flatMap(({ operation }) =>
        (operation.parameters ?? []).flatMap((each) => (each.in === 'query' ? each.name : [])),
      ),
    ])
    expect([...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
  })
})
