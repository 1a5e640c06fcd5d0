import { useClient, useLobby, useSession } from 'foyer-sdk/react'
import { useState } from 'react'

export function Game() {
  const { session, isResuming, error, signIn, signOut } = useSession()
  const client = useClient()
  const [word, setWord] = useState<string>()
  /** Leaves first, since only a player who is signed in can. A network that is away delays the sign-out by 2 s at most. */
  async function leaveAndSignOut() {
    setWord(undefined)
    const leaving = [...client.lobbies].map((lobby) => lobby.leave({ signal: AbortSignal.timeout(2000) }))
    await Promise.allSettled(leaving)
    await signOut()
  }
  if (isResuming) return null
  if (!session)
    return (
      <>
        <h1>My game</h1>
        <button onClick={() => signIn()}>Sign in</button>
        <p role="alert">{error?.message}</p>
      </>
    )
  return (
    <>
      <h1>My game</h1>
      <p role="status">Welcome, {session.user.displayName ?? session.userId}!</p>
      {word ? (
        <Lobby word={word} leave={() => setWord(undefined)} />
      ) : (
        <button onClick={() => setWord('moon')}>Join</button>
      )}
      <button className="quiet" onClick={leaveAndSignOut}>
        Sign out
      </button>
    </>
  )
}

function Lobby({ word, leave }: { word: string; leave: () => void }) {
  const { lobby, status, messages, error, send } = useLobby(word, { interval: 1000 })
  return (
    <section>
      <p>
        {status}, players at the join: {lobby?.members.length ?? 0} {error?.message}
      </p>
      <ul>
        {messages.map(({ id, author, content }) => (
          <li key={id}>{`${author.globalName ?? author.username}: ${content}`}</li>
        ))}
      </ul>
      <button onClick={() => send('Hello!')}>Say hello</button>
      <button className="quiet" onClick={leave}>
        Leave
      </button>
    </section>
  )
}
