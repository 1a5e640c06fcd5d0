/** A lobby, a member and a message as the service sends them. */
export const [LOBBY, APPLICATION, ADA, BOB] = [
  '1001',
  '1082700000000000001',
  '80351110224678912',
  '80351110224678913',
] as const
export const ROUTE = 'GET /lobbies/{lobby.id}'

export const memberPayload = (id: string = ADA, changes: object = {}) => ({
  id,
  metadata: { role: 'host' },
  ...changes,
})

export const lobbyPayload = (changes: object = {}) => ({
  id: LOBBY,
  application_id: APPLICATION,
  metadata: { map: 'sea' },
  members: [memberPayload()],
  ...changes,
})

export const messagePayload = (changes: object = {}) => ({
  id: '2001',
  lobby_id: LOBBY,
  content: 'Hi',
  author: { id: ADA, username: 'ada' },
  ...changes,
})
