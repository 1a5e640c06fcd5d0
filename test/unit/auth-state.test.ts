/** State of a sign-in: the events of any sequence of changes, and the outcomes of a sign-in. */
import * as fc from 'fast-check'
import { type Session, SessionError } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import { AuthState } from '../support/internals'
import { codeOf } from '../support/settle'

const player = (userId: string) => ({ userId }) as unknown as Session
const [ada, bob] = [player('1'), player('2')]
/** `ada` and another session of the same player, for whom the events differ. */
const SESSIONS = [null, ada, player('1'), bob]

/** The state of a client, and the events that it emits. */
function openState() {
  const events: string[] = []
  const state = new AuthState(((
    name: string,
    event: { session?: Session; status?: string; previous: unknown },
  ) => {
    events.push(
      name === 'statusChanged'
        ? `${String(event.previous)} ${event.status}`
        : `session ${event.session?.userId}`,
    )
    return true
  }) as never)
  state.onUserChanged = () => events.push('user')
  return { state, events }
}

it('a client emits what has changed, session before status, after what belongs to the previous player has ended', () => {
  const change = fc.record({
    session: fc.constantFrom(...SESSIONS),
    status: fc.constantFrom('ready' as const, 'reconnecting' as const, 'disconnected' as const),
    isCleared: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const { state, events } = openState()
      const expected: string[] = []
      let before: Session | null = null as Session | null
      let previous = 'disconnected'
      for (const { isCleared, ...given } of changes) {
        const { session, status } = isCleared ? { session: null, status: 'disconnected' as const } : given
        if (isCleared) state.clear()
        else state.set(session, status)
        if (before?.userId !== session?.userId) expected.push('user')
        if (before !== session) expected.push(`session ${session?.userId}`)
        if (previous !== status) expected.push(`${previous} ${status}`)
        ;[before, previous] = [session, status]
        expect([state.session, state.status]).toEqual([session, status])
      }
      expect(events).toEqual(expected)
    }),
  )
})

describe('a sign-in', () => {
  const cause = new SessionError('refresh_rejected')
  type State = ReturnType<typeof openState>['state']
  it.each<[string, (state: State) => unknown, (state: State) => Session | null, string]>([
    ['that succeeds', () => undefined, () => ada, 'ready'],
    ['during which only the previous session ends', (state) => state.clear(cause), () => ada, 'ready'],
    ['during which the game signs out', (state) => state.clear(), () => ada, 'signed_out'],
    [
      'whose session ends while it is stored',
      () => undefined,
      (state) => (state.clear(cause), ada),
      'signed_out',
    ],
    ['that brings no session', () => undefined, () => null, 'signed_out'],
    ['that fails', () => Promise.reject(new SessionError('refresh_rejected')), () => ada, 'refresh_rejected'],
  ])('%s: %s', async (...[, signIn, adopt, outcome]) => {
    const { state, events } = openState()
    const code = await codeOf(() =>
      state.whileConnecting(
        async () => signIn(state),
        async () => adopt(state),
      ),
    )
    expect(events[0]).toBe('disconnected connecting')
    expect(code ?? state.status).toBe(outcome)
    expect([state.session, state.status]).toEqual(
      outcome === 'ready' ? [ada, 'ready'] : [null, 'disconnected'],
    )
  })

  it('is adopted with its outcome, and a player who is signed in stays so meanwhile and if it fails', async () => {
    const { state, events } = openState()
    await state.whileConnecting(
      async () => 7,
      async (outcome) => (outcome === 7 ? ada : null),
    )
    const switching = state.whileConnecting(
      async () => state.status,
      async (status) => (status === 'ready' ? bob : null),
    )
    expect(await switching).toBe(bob)
    expect(events).toEqual([
      'disconnected connecting',
      'user',
      'session 1',
      'connecting ready',
      'user',
      'session 2',
    ])
    state.set(ada, 'reconnecting')
    const failing = state.whileConnecting(
      () => Promise.reject(cause),
      async () => bob,
    )
    expect(await codeOf(() => failing)).toBe('refresh_rejected')
    expect([state.session, state.status]).toEqual([ada, 'reconnecting'])
  })
})
