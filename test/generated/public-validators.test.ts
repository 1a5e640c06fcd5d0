/** Right messages and modals, changed in one place at random: the SDK's opinion beside that of the public builders, and a reason for each difference. */
import process from 'node:process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { validateMessage, validateModal } from 'foyer-sdk/server'
import { EVERY_FIELD } from '../support/screens/chat-parts'
import { isAccepted } from '../cases/builders-witness'
import { RIGHT } from '../cases/messages'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 1500)

const FORMS = [0, 5, 7].map((from) => ({
  ...EVERY_FIELD,
  components: EVERY_FIELD.components.slice(from, from + 5),
}))
const BODIES = [
  ...RIGHT.filter(({ kind, files }) => kind !== 'edit' && files === undefined).map(({ kind, body }) => ({
    kind,
    body,
  })),
  ...FORMS.map((body) => ({ kind: 'modal' as const, body })),
]

const LENGTHS = [
  0, 1, 45, 46, 80, 81, 100, 101, 150, 151, 256, 257, 1024, 1025, 2048, 2049, 4000, 4001, 4096, 4097,
]
const LITERALS: readonly unknown[] = JSON.parse(
  `[null, true, false, -1, 0, 1, 2, 1.5, 6, 10, 11, 25, 26, 40, 4001, 16777216, 4294967296, [], {}, [null], [1],
  "javascript:alert(1)", "https://game.example/x", "attachment://a.png", "ftp://game.example", "2026-13-01", " "]`,
)
const VALUES: readonly unknown[] = [...LENGTHS.map((length) => 'x'.repeat(length)), ...LITERALS]

type Container = Record<string, unknown> | unknown[]
const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

/** Every place of a body: its container and the key. */
function places(value: unknown): [Container, string][] {
  if (!isContainer(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    [value, key] as [Container, string],
    ...places(inner),
  ])
}

interface Change {
  readonly at: number
  readonly how: 'value' | 'remove' | 'repeat' | 'add'
  readonly value: unknown
}

/** A copy with one change: another value, one entry less, an entry 30 times, or a field more. */
function changed(body: unknown, { at, how, value }: Change): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(body))
  const all = places(copy)
  const place = all[at % all.length]
  if (!place) return copy
  const [container, key] = place
  if (Array.isArray(container)) {
    if (how === 'repeat')
      container.push(...Array.from({ length: 30 }, () => structuredClone(container[Number(key)])))
    else if (how === 'remove') container.splice(Number(key), 1)
    else container[Number(key)] = value
  } else if (how === 'remove') delete container[key]
  else container[how === 'add' ? `${key}s` : key] = value
  return copy
}

const change = fc.record({
  at: fc.nat(),
  how: fc.constantFrom<Change['how'][]>('value', 'value', 'value', 'remove', 'repeat', 'add'),
  value: fc.constantFrom(...VALUES),
})

/** The SDK refuses more than the builders: which rules they do not have, by the words of the issue. */
const UNKNOWN_TO_BUILDERS: readonly (readonly [string, RegExp])[] = [
  ['a field that does not exist', /is no field/],
  [
    'content, mentions, polls, flags and files, which have no builder',
    /^(?:content|allowed_mentions|poll|flags|tts|attachments)\b/m,
  ],
  ['a message or an embed without anything in it', /must hold content|unless the embed has/],
  ['how many components there may be', /must hold at (?:most|least)|must be [\w ]+alone/],
  ['sums of characters', /in all texts/],
  ['ids', /must be an id|must have an id or a name/],
  ['fields that are required, where the builders set them', /is required|must not be given here/],
  ['which types may be where', /type must be one of/],
  ['names of emoji and types of files', /emoji\.name|file_types/],
  ['`required` of selects', /component\.required must be/],
  [
    'empty texts of fields and footers of embeds',
    /(?:fields\[\d+\]\.(?:name|value)|footer\.text) must have 1/,
  ],
  ['times, which the builders write themselves', /timestamp must be/],
  ['counts with a fraction', /_values must be a whole number/],
  ['null, by which the builders clear a field', /author\.name must be a string/],
]
/** The builders refuse more than the SDK, with the reason. */
const REFUSED_BY_BUILDERS: readonly (readonly [string, RegExp])[] = [
  ['an empty text of an embed, which the service takes for none', /"embeds":.*"(?:title|description)":""/],
  ['a description of a picture that is null, as the public typings allow', /"description":null/],
  ['a channel type that is newer than the builders', /"channel_types":\[/],
]

test('every difference from the public builders has a reason', { timeout: 600_000 }, () => {
  const found = new Map<string, number>()
  const count = (reason: string) => void found.set(reason, (found.get(reason) ?? 0) + 1)
  const property = fc.property(fc.constantFrom(...BODIES), change, ({ kind, body }, one) => {
    const given = changed(body, one)
    const issues = kind === 'modal' ? validateModal(given) : validateMessage(given)
    const [ours, theirs] = [issues.length === 0, isAccepted(kind, given)]
    if (ours === theirs) return count(ours ? 'both accept' : 'both refuse')
    const text = ours
      ? JSON.stringify(given)
      : issues.map(({ path, message }) => `${path} ${message}`).join('\n')
    const reason = (ours ? REFUSED_BY_BUILDERS : UNKNOWN_TO_BUILDERS).find(([, words]) =>
      words.test(text),
    )?.[0]
    const who = ours ? 'builders' : 'SDK'
    expect(reason, `refused by the ${who} alone: ${text}`).toBeDefined()
    return count(`refused by the ${who} alone: ${reason}`)
  })
  // The same bodies in every run; `FOYER_SEED` and `FUZZ_RUNS` for others. A failure prints its seed.
  fc.assert(property, { numRuns: RUNS, seed: Number(process.env['FOYER_SEED'] ?? 2026) })
  expect(found.get('both accept')).toBeGreaterThan(RUNS / 20)
  expect(found.get('both refuse')).toBeGreaterThan(RUNS / 10)
})
