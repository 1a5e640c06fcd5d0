/** Differences between two states of a lobby, and the events that report them. */
import type { ServiceEvent } from './service-event.js'
import { memberPayload, type Lobby, type LobbyMember } from './lobby.js'

/** Added, changed and removed members. */
export interface MemberChanges {
  added: LobbyMember[]
  updated: LobbyMember[]
  removed: LobbyMember[]
}

export function memberChanges(before: readonly LobbyMember[], after: readonly LobbyMember[]): MemberChanges {
  const earlier = new Map(before.map((member) => [member.userId, member]))
  const staying = new Set(after.map(({ userId }) => userId))
  return {
    added: after.filter(({ userId }) => !earlier.has(userId)),
    updated: after.filter((member) => isOther(earlier.get(member.userId), member)),
    removed: before.filter(({ userId }) => !staying.has(userId)),
  }
}

function isOther(before: LobbyMember | undefined, after: LobbyMember): boolean {
  return before !== undefined && before !== after && JSON.stringify(before) !== JSON.stringify(after)
}

/** @param payload the lobby's response payload after the change. */
export function changeEvents(before: Lobby, after: Lobby, payload: unknown): ServiceEvent[] {
  const { added, updated, removed } = memberChanges(before.members, after.members)
  const aboutMember = (name: string) => (member: LobbyMember) => ({
    name,
    data: { lobby_id: after.id, application_id: after.applicationId, member: memberPayload(member) },
  })
  return [
    ...(isSame(before, after) ? [] : [{ name: 'lobby.updated', data: payload }]),
    ...added.map(aboutMember('lobby.member_added')),
    ...updated.map(aboutMember('lobby.member_updated')),
    ...removed.map(aboutMember('lobby.member_removed')),
  ]
}

function isSame(before: Lobby, after: Lobby): boolean {
  return JSON.stringify({ ...before, members: [] }) === JSON.stringify({ ...after, members: [] })
}
