/** Chat page: state of the current player and channel, and the actions in it. */
import { html, render, useCallback, useEffect, useRef, useState } from './preact.js'
import { ask, listen, post } from './chat-api.js'
import { Composer } from './chat-composer.js'
import { Messages } from './chat-messages.js'
import { Notice, useNotice, wordsFor } from './chat-notice.js'
import { ModalForm } from './chat-modal.js'
import { Requests } from './chat-requests.js'
import { Sidebar } from './chat-channels-and-members.js'
import { Activity } from './chat-activity.js'

const remembered = 'foyer-emulator-chat'

function App({ start }) {
  const [place, setPlace] = useState(() => recall(start))
  const [view, setView] = useState()
  const { reached, notice, setNotice, noteReached, clear } = useNotice()
  const [modal, setModal] = useState()
  const [activity, setActivity] = useState()
  const requested = useRef(place)
  requested.current = place

  const load = useCallback(async () => {
    const asked = requested.current
    const next = await ask('view', asked).catch((error) => error)
    if (requested.current !== asked) return
    if (!(next instanceof Error)) setView(next)
    // The new player may not see the channel of the previous one.
    else if (next.status !== 0 && asked.channel !== undefined) setPlace({ as: asked.as })
  }, [])
  useEffect(() => {
    void load()
    sessionStorage.setItem(remembered, JSON.stringify(place))
  }, [place, load])
  useEffect(() => listen(load, noteReached), [load, noteReached])

  const act = async (name, body) => {
    clear()
    const here = { as: view.player, channel: view.channel }
    const outcome = await post(name, { ...here, ...body })
    if (outcome.kind === 'refused' || outcome.kind === 'failed' || outcome.problem) setNotice(wordsFor(outcome))
    if (outcome.modal) setModal({ ...outcome.modal, ...here })
    if (outcome.activity) show(outcome.activity, view.player)
    await load()
    return outcome
  }
  const show = ({ instanceId, url }, player) => {
    if (!url) setNotice({ text: 'The Activity is launched, but there is no game to show: set its address under Requests.', tone: 'bad' })
    else
      setActivity((shown) => {
        const players = shown?.instanceId === instanceId ? shown.players : []
        return { instanceId, url, players: players.includes(player) ? players : [...players, player] }
      })
  }
  const join = (link = {}) => launchBy('join', { channel: view.channel, ...link })
  const accept = (invitation) => launchBy('accept', { invitation })
  const launchBy = async (name, body) => {
    const launched = await post(name, { as: view.player, ...body })
    if (launched.problem) setNotice(wordsFor(launched))
    else show(launched, view.player)
  }
  const connected = () => {
    clear()
    void load()
  }
  if (view === undefined) return html`<p class="loading" role="status">Loading…</p>`
  const nameOf = (player) => start.players.find(({ id }) => id === player)?.name ?? player
  const channel = view.channels.find(({ id }) => id === view.channel)
  return html`<div class="layout">
    <${Sidebar}
      start=${start}
      view=${view}
      go=${(next) => {
        clear()
        setPlace((now) => ({ as: now.as, channel: now.channel ?? view.channel, ...next }))
      }}
      act=${act}
    />
    <main class="room" aria-label="Chat">
      <header class="place">
        <h1>${titleOf(channel)}</h1>
        <span class="quiet">${channel.guild ? channel.guild.name : 'direct messages'}</span>
        ${view.ageRestricted && html`<span class="tag warn">age-restricted</span>`}
      </header>
      ${activity && html`<${Activity} activity=${activity} names=${nameOf} name=${start.application.name} close=${() => setActivity(undefined)} />`}
      <${Messages} view=${view} application=${start.application} act=${act} join=${join} accept=${accept} />
      <${Notice} reached=${reached} notice=${notice} clear=${clear} />
      <${Composer} key=${`${view.player} ${view.channel}`} view=${view} act=${act} title=${titleOf(channel)} />
    </main>
    <${Requests} view=${view} connect=${connected} />
    ${modal && html`<${ModalForm} modal=${modal} close=${() => setModal(undefined)} send=${(values) => act('submit', { ...modal, modal: modal.id, values })} />`}
  </div>`
}

function titleOf({ kind, name }) {
  return kind === 'guild' ? `# ${name}` : `@ ${name}`
}

function recall({ players }) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(remembered) ?? '{}')
    if (players.some(({ id }) => id === kept.as)) return kept
  } catch {
    // The stored player does not exist (any more): use the first one.
  }
  return { as: players[0].id }
}

const root = document.querySelector('#chat')
const start = await ask('start')
root.replaceChildren()
render(html`<${App} start=${start} />`, root)
