/** The chat page: who looks, where, what stands there, and what may be done. */
import { html, render, useCallback, useEffect, useRef, useState } from './preact.js'
import { ask, listen, order } from './chat-api.js'
import { Composer } from './chat-composer.js'
import { Messages } from './chat-messages.js'
import { ModalForm } from './chat-modal.js'
import { Requests } from './chat-requests.js'
import { Sidebar } from './chat-sidebar.js'
import { Activity } from './chat-activity.js'

const remembered = 'foyer-emulator-chat'

function App({ start }) {
  const [place, setPlace] = useState(() => recall(start))
  const [view, setView] = useState()
  const [notice, setNotice] = useState()
  const [modal, setModal] = useState()
  const [activity, setActivity] = useState()
  const [reached, setReached] = useState(true)
  const wanted = useRef(place)
  wanted.current = place

  const load = useCallback(async () => {
    const asked = wanted.current
    const next = await ask('view', asked).catch((error) => error)
    if (wanted.current !== asked) return
    if (!(next instanceof Error)) setView(next)
    // A player may not see the channel that the one before was in.
    else if (next.status !== 0 && asked.channel !== undefined) setPlace({ as: asked.as })
  }, [])
  useEffect(() => {
    void load()
    sessionStorage.setItem(remembered, JSON.stringify(place))
  }, [place, load])
  useEffect(() => listen(load, setReached), [load])

  const act = async (name, body) => {
    setNotice(undefined)
    const here = { as: view.player, channel: view.channel }
    const outcome = await order(name, { ...here, ...body })
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
  const join = async () => show(await order('join', { as: view.player, channel: view.channel }), view.player)
  if (view === undefined) return html`<p class="loading" role="status">Loading…</p>`
  const nameOf = (player) => start.players.find(({ id }) => id === player)?.name ?? player
  const channel = view.channels.find(({ id }) => id === view.channel)
  return html`<div class="layout">
    <${Sidebar}
      start=${start}
      view=${view}
      go=${(next) => setPlace((now) => ({ as: now.as, channel: now.channel ?? view.channel, ...next }))}
      act=${act}
    />
    <main class="room" aria-label="Chat">
      <header class="place">
        <h1>${titleOf(channel)}</h1>
        <span class="quiet">${channel.guild ? channel.guild.name : 'direct messages'}</span>
        ${view.ageRestricted && html`<span class="tag warn">age-restricted</span>`}
      </header>
      ${activity && html`<${Activity} activity=${activity} names=${nameOf} name=${start.application.name} close=${() => setActivity(undefined)} />`}
      <${Messages} view=${view} application=${start.application} act=${act} join=${join} />
      ${!reached && html`<p class="notice warn" role="alert">The emulator does not answer. This page goes on by itself when it is back.</p>`}
      ${
        notice &&
        html`<div class="notice ${notice.tone}" role="alert">
          <p>${notice.text}</p>
          <button type="button" onClick=${() => setNotice(undefined)} aria-label="Dismiss">✕</button>
        </div>`
      }
      <${Composer} key=${`${view.player} ${view.channel}`} view=${view} act=${act} title=${titleOf(channel)} />
    </main>
    <${Requests} view=${view} connect=${load} />
    ${modal && html`<${ModalForm} modal=${modal} close=${() => setModal(undefined)} send=${(values) => act('submit', { ...modal, modal: modal.id, values })} />`}
  </div>`
}

function titleOf({ kind, name }) {
  return kind === 'guild' ? `# ${name}` : `@ ${name}`
}

/** What the player would read, and what the developer wants to know. */
function wordsFor({ kind, because, code, problem }) {
  if (problem) return { text: problem, tone: 'bad' }
  if (kind === 'failed') return { text: `The application did not respond: ${because}.`, tone: 'bad' }
  if (code === 40043) return { text: 'This command is outdated. It was loaded anew: try again.', tone: 'warn' }
  if (code === 50013) return { text: `Permission Denied: ${because.replace(/^Missing Permissions: /, '')}.`, tone: 'bad' }
  return { text: `Not sent: ${because}.`, tone: 'warn' }
}

function recall({ players }) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(remembered) ?? '{}')
    if (players.some(({ id }) => id === kept.as)) return kept
  } catch {
    // What was kept is no good; the first player is.
  }
  return { as: players[0].id }
}

const root = document.querySelector('#chat')
const start = await ask('start')
root.replaceChildren()
render(html`<${App} start=${start} />`, root)
