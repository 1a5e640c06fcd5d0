/** What a game's test does with an emulator in its own process: sign in, create a lobby, write into it. */
import { Client } from 'foyer-sdk'
import { createEmulator } from 'foyer-emulator'

/** Resolves with the author and the text of the last message. */
export async function playWithEmulator(): Promise<{
  author: string | undefined
  content: string | undefined
}> {
  const emulator = await createEmulator()
  const client = new Client({ applicationId: emulator.application.id, service: { host: emulator.url } })
  try {
    const surface = {
      redirectUri: () => 'http://127.0.0.1/callback',
      open: async (url: string) => (await emulator.authorize(url, { as: 'ada' })).redirect,
    }
    await client.signIn({ surface })
    const lobby = await client.createOrJoinLobby('moon')
    await lobby.send('Hello')
    const [message] = await lobby.fetchMessages({ limit: 1 })
    return { author: message?.author.username, content: message?.content }
  } finally {
    client.close()
    await emulator.close()
  }
}
