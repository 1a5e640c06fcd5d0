/** Filter of the request log: words, and fields with a value. */
import { expect, it } from 'vitest'
import { createMatch } from '../../support/emulator-internals'

const REQUEST = {
  method: 'PUT',
  path: '/api/v10/lobbies',
  status: 429,
  ms: 3,
  at: 0,
  sender: { kind: 'player' as const, id: '42', name: 'Ada Quinn', username: 'ada' },
  player: 'ada',
  rule: 'the limit create-join',
}

it.each([
  ['', true],
  ['put lobbies', true],
  ['PUT ada', true],
  ['player:ada', true],
  ['player:ad', false],
  ['player:ADA status:4xx path:/lobbies method:put', true],
  ['player:42', true],
  ['player:Ada Quinn', true],
  ['status:4xx player:ada quinn', true],
  ['player:"Ada Quinn" status:429', true],
  ['player:Ada Quint', false],
  ['"ada quinn"', true],
  ['from:player', true],
  ['from:bot', false],
  ['status:42x', true],
  ['status:401', false],
  ['status:2xx', false],
  ['path:/users', false],
  ['method:get', false],
  ['create-join', true],
  ['unknown:word', false],
  ['constructor:x', false],
  ['player:', false],
])('the filter %j matches: %s', (text, expected) => {
  expect(createMatch(text)(REQUEST)).toBe(expected)
})

it('a request whose sender is unknown has none of its words', () => {
  const { player: _, sender: __, ...anonymous } = REQUEST
  expect([createMatch('player:ada')(anonymous), createMatch('undefined')(anonymous)]).toEqual([false, false])
})
