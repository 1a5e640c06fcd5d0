/** Activity panel beside the chat. */
// Each player who joined here has a host page of their own, so that no game reloads when another player joins.

export interface OpenActivity {
  instanceId: string
  /** Address of the host page. */
  url: string
  /** Ids of the players who joined here. */
  players: string[]
}

interface Props {
  activity: OpenActivity
  /** Display name of a player. */
  names: (player: string) => string
  /** Name of the application. */
  name: string
  close: () => void
}

export function Activity({ activity: { url, players }, names, name, close }: Props) {
  const addressOf = (as: string) => {
    const address = new URL(url)
    address.searchParams.set('as', as)
    return address.href
  }
  return (
    <section class="activity" aria-label="Activity">
      <header>
        <h2>{name}</h2>
        <a href={addressOf(players.join(','))} target="_blank" rel="noopener noreferrer">
          Open in a window of its own
        </a>
        <button type="button" onClick={close}>
          Close Activity
        </button>
      </header>
      <div class="hosts">
        {players.map((player) => (
          <iframe
            key={player}
            title={`The Activity, as ${names(player)} sees it`}
            src={addressOf(player)}
            allow="autoplay; clipboard-write; fullscreen; gamepad"
          ></iframe>
        ))}
      </div>
    </section>
  )
}
