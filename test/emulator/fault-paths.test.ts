/** A fault's path is one that a request can have: a misspelt one is answered with the path that was meant. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHostileWorld } from './support/hostile-world.js'

let world: Awaited<ReturnType<typeof createHostileWorld>>
beforeAll(async () => {
  world = await createHostileWorld()
})
afterAll(() => world.close())

/** The reason why a fault at this path is refused; undefined if it is set. */
function refusal(path: string): string | undefined {
  try {
    world.emulator.faults({ match: { path }, effect: { status: 503 } })
    world.emulator.faults([])
    return undefined
  } catch (error) {
    return String(error)
  }
}

/** Every path that is answered, with a value for each variable. */
const paths = () => [
  ...new Set(
    world.targets.routes
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('/_emulator/'))
      .map((path) => path.replaceAll(/:\w+(?:\{[^/]*\})?/g, '1')),
  ),
]

describe('a path of a fault', () => {
  it('is accepted if a request can have it, also with * for a part of it', () => {
    const all = paths()
    expect(all.length).toBeGreaterThan(80)
    for (const path of all) {
      expect.soft(refusal(path), path).toBeUndefined()
      expect.soft(refusal(`*${path.slice(path.lastIndexOf('/'))}`), path).toBeUndefined()
      expect.soft(refusal(`${path.slice(0, path.lastIndexOf('/') + 1)}*`), path).toBeUndefined()
    }
  })

  it('is refused without any of its letters, unless another request has it', () => {
    const all = paths().filter((path) => path.startsWith('/api/v10/'))
    const variables = world.targets.routes.map(({ path }) =>
      path.split('/').map((segment) => (segment.startsWith(':') ? undefined : segment)),
    )
    const isAnother = (path: string) => {
      const segments = path.split('/')
      return variables.some(
        (route) =>
          route.length === segments.length &&
          route.every((segment, at) => segment === undefined || segment === segments[at]) &&
          segments.slice(1).every((segment) => segment !== ''),
      )
    }
    let refused = 0
    for (const path of all)
      for (let at = 1; at < path.length; at += 1) {
        const wrong = path.slice(0, at) + path.slice(at + 1)
        if (isAnother(wrong)) continue
        refused += 1
        expect.soft(refusal(wrong), wrong).toMatch(/no route is at \S+: did you mean \S+\? For example: /)
      }
    expect(refused).toBeGreaterThan(1000)
  })

  it.each([
    ['/api/v10/lobbys', '/api/v10/lobbies'],
    ['/api/v9/lobbies', '/api/v10/lobbies'],
    ['/api/lobbies', '/api/v10/lobbies'],
    ['/lobbies', '/api/v10/lobbies'],
    ['/lobies', '/api/v10/lobbies'],
    ['*/lobbys', '*/lobbies'],
    ['*/lobbys/*', '*/lobbies/*'],
    ['/api/v10/lobbys*', '/api/v10/lobbies*'],
    ['/api/*/lobbys', '/api/*/lobbies'],
    ['/api/v10/lobbies/', '/api/v10/lobbies'],
    ['/api/v10/lobbies?limit=1', '/api/v10/lobbies'],
    ['/api/v10/lobbies/42/mesages', '/api/v10/lobbies/42/messages'],
    ['/api/v10/lobbies/:lobby/messages', '/api/v10/lobbies/*/messages'],
    ['/api/v10/lobbies/{lobby.id}', '/api/v10/lobbies/*'],
  ])('%s is answered with %s', (path, meant) => {
    expect(refusal(path)).toContain(`: did you mean ${meant}? For example: `)
    expect(refusal(meant)).toBeUndefined()
  })

  it('that nothing resembles is answered with the form of a path', () => {
    expect(refusal('/weather/in/the/mountains')).toContain('match.path is such as /api/v10/lobbies')
    expect(refusal('/_emulator/faults')).toContain('the control plane, which has no faults')
  })
})
