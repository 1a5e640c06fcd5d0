/** Bodies of a player's lobby calls (docs/interface/lobbies.md#player-endpoints), as data. */
import type { Issue } from '../foundation/errors'
import { checkRecord, collectIssues, whole } from '../foundation/rules'
import { LobbyIssues } from './lobby-issues'
import { IDLE_TIMEOUT } from './lobby-limits'
import { characters, ID, type LobbyRule, type LobbyShape, METADATA } from './lobby-shapes'

/** Bounds in characters (docs/interface/lobbies.md#player-endpoints). */
export const SECRET: LobbyRule = { is: characters, min: 1, max: 250, visible: true, required: true }
export const CONTENT: LobbyRule = { is: characters, min: 1, max: 2000, visible: true, required: true }

/** Bodies that a page asks its backend to send. */
export const PLAYER_BODIES = {
  join: {
    secret: SECRET,
    lobby_metadata: METADATA,
    member_metadata: METADATA,
    idle_timeout_seconds: { is: whole, ...IDLE_TIMEOUT, unit: ' seconds', nullable: true },
  },
  message: { content: CONTENT, metadata: METADATA },
  link: { channel_id: { ...ID, required: false } },
} satisfies Record<string, LobbyShape>

/** Names of the shapes. */
export type PlayerBody = keyof typeof PLAYER_BODIES

/** Returns all issues of a body's named fields. Accepts any value and never throws. */
export const validatePlayerBody = (body: unknown, name: PlayerBody): readonly Issue[] =>
  collectIssues(new LobbyIssues(), (at) => {
    checkRecord(body, PLAYER_BODIES[name], at)
  })
