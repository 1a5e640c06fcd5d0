/** Compares lobby validation of the SDK with that of the emulator, which shares no code with it, on generated bodies. */
import process from 'node:process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { validateLobby, validateLobbyMember, validateLobbyMembers, type Issue } from 'foyer-sdk/server'
import { bulkBody, lobbyBody, memberBody, problemsOf } from '../support/emulator-internals'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 5000)

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, '', 0, -1, 1.5, true, [], {}, '__proto__', 26),
  fc.jsonValue({ maxDepth: 2 }),
)
const rarely = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ arbitrary: usual, weight: 12 }, { arbitrary: odd, weight: 1 })
const character = fc.oneof(
  { arbitrary: fc.constantFrom('a', 'é', '😀', "'", '\\'), weight: 60 },
  { arbitrary: fc.constant('\ud83d'), weight: 1 },
)
const text = fc.string({ unit: character, maxLength: 8 })
const long = fc.integer({ min: 985, max: 1005 }).map((length) => '😀'.repeat(length))
const metadata = rarely(
  fc.dictionary(
    fc.oneof(text, fc.constant('__proto__')),
    rarely(fc.oneof({ arbitrary: text, weight: 9 }, long)),
    { maxKeys: 4 },
  ),
)
const id = rarely(
  fc.oneof(fc.bigInt({ min: 0n, max: 30n }).map(String), fc.bigInt({ min: 0n, max: 2n ** 65n }).map(String)),
)
const flags = rarely(fc.constantFrom(0, 1, 2, null))
const name = rarely(
  fc.oneof(
    text,
    fc.integer({ min: 78, max: 82 }).map((length) => '😀'.repeat(length)),
  ),
)
const member = fc.record({ metadata, flags, additional_name: name }, { requiredKeys: [] })
const listed = fc
  .tuple(id, member, fc.option(rarely(fc.boolean()), { nil: undefined }))
  .map(([of, fields, remove]) => ({
    id: of,
    ...fields,
    ...(remove !== undefined && { remove_member: remove }),
  }))
const list = rarely(fc.array(rarely(listed), { maxLength: 27, size: 'max' }))
const few = rarely(fc.array(rarely(listed), { maxLength: 3 }))
const idle = rarely(fc.constantFrom(4, 5, 604_800, 604_801, null))
const lobby = rarely(
  fc.record({ metadata, members: fc.oneof(list, few), idle_timeout_seconds: idle }, { requiredKeys: [] }),
)

/** The body as it arrives. */
const sent = (body: unknown): unknown => JSON.parse(JSON.stringify(body) ?? 'null')
/** The service ignores a field that it does not know. The SDK alone names it, as a mistake of the game. */
const accepts = (issues: readonly Issue[]) =>
  issues.every(({ level, code }) => level === 'warning' || code === 'unknown_field')

test.each([
  ['lobbies', lobby, (body: unknown) => validateLobby(body, 'create'), lobbyBody],
  ['members', rarely(member), validateLobbyMember, memberBody],
  ['members in bulk', fc.oneof(list, few), validateLobbyMembers, bulkBody],
] as const)('SDK and emulator accept the same generated %s', (...[, bodies, validate, bodyOf]) => {
  const seen = { accepted: 0, refused: 0 }
  const property = fc.property(bodies, (generated) => {
    const body = sent(generated)
    const problems = problemsOf(bodyOf({ metadataUnit: 'characters' }), body)
    const isAccepted = accepts(validate(body))
    seen[isAccepted ? 'accepted' : 'refused']++
    return isAccepted === (problems.length === 0)
  })
  expect(fc.check(property, { numRuns: RUNS })).toMatchObject({ failed: false, numRuns: RUNS })
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(RUNS / 50)
})
