/** Filter of the request log: words, and fields with a value. */
import { expect, it } from 'vitest'
import { matchRequest } from '../../support/emulator-internals'

const REQUEST = {
  method: 'PUT',
  path: '/api/v10/lobbies',
  status: 429,
  ms: 3,
  at: 0,
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
  expect(matchRequest(REQUEST, text)).toBe(expected)
})

it('a request without a player has none of its words', () => {
  const { player: _, ...anonymous } = REQUEST
  expect([matchRequest(anonymous, 'player:ada'), matchRequest(anonymous, 'undefined')]).toEqual([
    false,
    false,
  ])
})
