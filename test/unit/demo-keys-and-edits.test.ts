/** Pure parts of the demo: single keys, two edits of one lobby's metadata, and permissions in words. */
import { describe, expect, it } from 'vitest'
import { explainAccess } from '../../demo/page/screens/commands/command-permissions'
import { describeResult, type EditRequest, outcomeOf } from '../../demo/page/screens/lobby/edit-together'
import { actionOf, SCREEN_KEYS } from '../../demo/page/frame/key-action'

function request(player: string, sent?: Record<string, string>): EditRequest {
  return {
    player,
    method: sent ? 'PATCH' : 'GET',
    path: '/lobbies/1',
    status: 200,
    received: {},
    ...(sent && { sent }),
  }
}

describe('a single key', () => {
  it('lists the keys, begins a sequence, or does nothing', () => {
    expect(['?', 'g', 's', 'Enter'].map((key) => actionOf(key, undefined)?.kind)).toEqual([
      'help',
      'begun',
      undefined,
      undefined,
    ])
  })

  it('leads to a screen after g, and an unknown one ends the sequence', () => {
    expect(SCREEN_KEYS.map(({ key }) => actionOf(key, 'g'))).toEqual(
      SCREEN_KEYS.map(({ screen }) => ({ kind: 'go', screen })),
    )
    expect(new Set(SCREEN_KEYS.map(({ key }) => key)).size).toBe(SCREEN_KEYS.length)
    expect(actionOf('x', 'g')).toBeUndefined()
    expect(actionOf('?', 'g')).toBeUndefined()
  })
})

describe('two edits at once', () => {
  const reads = [request('Ada'), request('Bruno')]

  it('have a winner and a loser, if the second write replaced the first', () => {
    const writes = [request('Bruno', { Bruno: '1', edits: '1' }), request('Ada', { Ada: '1', edits: '1' })]
    const metadata = { Ada: '1', edits: '1' }
    expect([...reads, ...writes].map((one) => outcomeOf(one, metadata))).toEqual([
      undefined,
      undefined,
      'lost',
      'kept',
    ])
    const words = describeResult({ requests: [...reads, ...writes], metadata })
    expect(words).toContain('Ada won')
    expect(words).toContain('the edit of Bruno is lost')
    expect(words).toContain('counts 1, one too few')
  })

  it('have no loser, if the second read what the first had written', () => {
    const writes = [
      request('Ada', { Ada: '1', edits: '1' }),
      request('Bruno', { Ada: '1', Bruno: '1', edits: '2' }),
    ]
    const metadata = { Ada: '1', Bruno: '1', edits: '2' }
    const words = describeResult({ requests: [...reads, ...writes], metadata })
    expect(words).toMatch(/^Both edits are there, and the lobby counts 2\. 4 requests/)
  })
})

it('a permission is explained with the roles of the member and the rule', () => {
  const member = { id: '1', name: 'bruno', roles: ['Scout', 'Guest'], commands: [] }
  const command = { id: '2', name: 'ban', local: false }
  expect(explainAccess(member, command)).toBe('bruno (Scout, Guest) may use ban.')
  expect(explainAccess({ ...member, roles: [] }, { ...command, because: 'no rule' })).toBe(
    'bruno (no role) may not use ban: no rule.',
  )
})
