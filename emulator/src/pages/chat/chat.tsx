/** Chat page: state of the current player and channel, and the actions in it. */
import { Composer } from './composer/composer.js'
import { ModalForm } from './form/modal-form.js'
import { Messages, type LinkParameters } from './message/message.js'
import { Requests } from './requests/requests.js'
import { ChatApiError, listen, loadStart, loadView, post } from './shared/chat-api.js'
import type { Act, LaunchedActivity, ModalData, Place, Start, View } from './shared/chat-data.js'
import { Notice, useNotice, wordsFor } from './shared/notice.js'
import { Sidebar } from './sidebar.js'
import { render } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

const REMEMBERED = 'foyer-emulator-chat'

function App({ start }: { start: Start }) {
  const [place, setPlace] = useState<Place>(() => recall(start))
  const [view, setView] = useState<View>()
  const notices = useNotice()
  const requested = useRef(place)
  requested.current = place

  const load = useCallback(async () => {
    const asked = requested.current
    const next = await loadView(asked).catch((error: unknown) =>
      error instanceof ChatApiError ? error : new ChatApiError(0),
    )
    if (requested.current !== asked) return
    if (!(next instanceof ChatApiError)) setView(next)
    // The new player may not see the channel of the previous one.
    else if (next.status !== 0 && asked.channel !== undefined) setPlace({ as: asked.as })
  }, [])
  useEffect(() => {
    void load()
    sessionStorage.setItem(REMEMBERED, JSON.stringify(place))
  }, [place, load])
  useEffect(() => listen(() => void load(), notices.noteReached), [load, notices.noteReached])

  const go = (next: Partial<Place>) => {
    notices.clear()
    setPlace((now) => ({ as: now.as, channel: now.channel ?? view?.channel, ...next }))
  }
  if (view === undefined)
    return (
      <p class="loading" role="status">
        Loading…
      </p>
    )
  return <Room start={start} view={view} load={load} go={go} notices={notices} />
}

interface RoomProps {
  start: Start
  view: View
  /** Loads the view anew. */
  load: () => Promise<void>
  go: (place: Partial<Place>) => void
  notices: ReturnType<typeof useNotice>
}

function Room({ start, view, load, go, notices: { reached, notice, setNotice, clear } }: RoomProps) {
  const [modal, setModal] = useState<ModalData & Place>()
  const [activity, setActivity] = useState<OpenActivity>()
  const act: Act = async (name, body) => {
    clear()
    const here = { as: view.player, channel: view.channel }
    const outcome = await post(name, { ...here, ...body })
    if (outcome.kind === 'refused' || outcome.kind === 'failed' || outcome.problem !== undefined)
      setNotice(wordsFor(outcome))
    if (outcome.modal) setModal({ ...outcome.modal, ...here })
    if (outcome.activity) show(outcome.activity, view.player)
    await load()
    return outcome
  }
  const show = ({ instanceId, url }: Partial<LaunchedActivity>, player: string) => {
    if (!url || instanceId === undefined)
      setNotice({
        text: 'The Activity is launched, but there is no game to show: set its address under Requests.',
        tone: 'bad',
      })
    else
      setActivity((shown) => {
        const players = shown?.instanceId === instanceId ? shown.players : []
        return { instanceId, url, players: players.includes(player) ? players : [...players, player] }
      })
  }
  const openTab = (url: string) => {
    const tab = window.open(url, '_blank')
    if (tab) tab.opener = null
    else
      setNotice({
        text: 'The browser has blocked the new tab: allow pop-ups of this page, and accept again.',
        tone: 'bad',
      })
  }
  const join = (link: LinkParameters = {}) => void launchBy('join', { channel: view.channel, ...link })
  const accept = (invitation: string) => void launchBy('accept', { invitation })
  const launchBy = async (name: 'join' | 'accept', body: object) => {
    const launched = await post(name, { as: view.player, ...body })
    if (launched.problem !== undefined) setNotice(wordsFor(launched))
    else if (launched.opens === 'game') openTab(launched.url ?? '')
    else show(launched, view.player)
  }
  const connected = () => {
    clear()
    void load()
  }
  const nameOf = (player: string) => start.players.find(({ id }) => id === player)?.name ?? player
  const channel = view.channels.find(({ id }) => id === view.channel)
  const title = channel === undefined ? '' : titleOf(channel)
  return (
    <div class="layout">
      <Sidebar start={start} view={view} go={go} act={act} />
      <main class="room" aria-label="Chat">
        <header class="place">
          <h1>{title}</h1>
          <span class="quiet">{channel?.guild?.name ?? 'direct messages'}</span>
          {view.ageRestricted && <span class="tag warn">age-restricted</span>}
        </header>
        {activity && (
          <Activity
            activity={activity}
            names={nameOf}
            name={start.application.name}
            close={() => setActivity(undefined)}
          />
        )}
        <Messages view={view} start={start} act={act} join={join} accept={accept} />
        <Notice reached={reached} notice={notice} clear={clear} />
        <Composer key={`${view.player} ${view.channel}`} view={view} act={act} title={title} />
      </main>
      <Requests view={view} connect={connected} />
      {modal && (
        <ModalForm
          key={modal.id}
          modal={modal}
          start={start}
          view={view}
          close={() => setModal((shown) => (shown === modal ? undefined : shown))}
          send={(values) => act('submit', { as: modal.as, channel: modal.channel, modal: modal.id, values })}
        />
      )}
    </div>
  )
}

function titleOf({ kind, name }: View['channels'][number]): string {
  return kind === 'guild' ? `# ${name}` : `@ ${name}`
}

function recall({ players }: Start): Place {
  try {
    const kept: Place = JSON.parse(sessionStorage.getItem(REMEMBERED) ?? '{}')
    if (players.some(({ id }) => id === kept.as)) return kept
  } catch {
    // The stored player does not exist (any more): use the first one.
  }
  return { as: players[0]?.id ?? '' }
}

// Each player who joined here has a host page of their own, so that no game reloads when another player joins.

interface OpenActivity {
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

const root = document.querySelector('#chat')
const start = await loadStart()
if (root !== null) {
  root.replaceChildren()
  render(<App start={start} />, root)
}
