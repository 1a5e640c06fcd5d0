/** State of a lobby as every server of the comparison sends it, with the time. */
import { now } from './measure-process.mjs'

const MEMBERS = 20
const PLAYER = 100_000_000_000_000_000n
const members = Array.from({ length: MEMBERS }, (_, index) => ({
  id: String(PLAYER + BigInt(index)),
  metadata: { team: 'red' },
  flags: 0,
  user: { username: `player-${PLAYER + BigInt(index)}`, global_name: null },
  presence: 'online',
}))

export const lobbyAt = (id) => ({
  id,
  application_id: '1082700000000000001',
  metadata: { at: String(now()) },
  members,
})
