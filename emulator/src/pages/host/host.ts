/** Host page: loads the game into frames, and relays messages between them and the emulator, in order. */
import type { Dialog } from '../../service/activity/host-dialogs.js'
import { openSocket } from '../shared/watch-emulator.js'
import { element, find, say } from './host-elements.js'
import { MessageLog, type RpcMessage } from './message-log.js'
import { watchPopovers } from './popovers.js'
import { watchPurchases } from './show-purchases.js'
import { askConsent, showDialog, type ConsentRequest } from './show-dialog.js'
import { watchSilence, type SilenceWatch } from './watch-silence.js'

interface Frame {
  id: string
  tile: HTMLElement
  iframe: HTMLIFrameElement
  silence: SilenceWatch
}

/** A frame to load, as the emulator describes it. */
interface OpenedFrame {
  id: string
  player: string
  src: string
}

/** Event of the emulator: a message to a game, or a change that the page shows. */
interface HostEvent {
  frame?: string
  message?: RpcMessage
  status?: string
  consent?: ConsentRequest
  dialog?: Dialog & { id: string }
  /** Report of a request that the game's content policy blocked. */
  blocked?: string
}

const BASE = '/_activity/'
const settings: PageSettings = JSON.parse(find(document, '#frames').dataset['settings'] ?? '{}')
/** Keyed by frame id. */
const frames = new Map<string, Frame>()
const log = new MessageLog()
let carried: Promise<unknown> = Promise.resolve()
let gameOrigin = ''

async function open(): Promise<void> {
  const answer = await post('windows', { instance_id: settings.instance, as: settings.as })
  if (!answer.ok) return say('This instance is over. Launch the Activity anew.')
  say('')
  const opened: { window: string; origin: string; frames: OpenedFrame[] } = await answer.json()
  gameOrigin = opened.origin
  const stream = openSocket(`${BASE}windows/${opened.window}/events`)
  stream.addEventListener('message', ({ data }: MessageEvent<string>) => take(JSON.parse(data)))
  stream.addEventListener('close', () => {
    say('The emulator does not answer. Nothing is lost: this page goes on by itself when it is back.')
    setTimeout(() => void recover(settings), 1000)
  })
  const mountAll = () => {
    for (const frame of opened.frames) mount(opened.window, frame)
  }
  // Load the frames only after the stream is open: the game sends its handshake at once, and responses arrive on the stream.
  stream.addEventListener('open', mountAll, { once: true })
  addEventListener('message', (event) => receive(opened.window, event))
}

function addPlayer(event: SubmitEvent | Event): void {
  event.preventDefault()
  const url = new URL(location.href)
  const player = find(document, '.add select')
  if (player instanceof HTMLSelectElement) url.searchParams.set('as', `${settings.as},${player.value}`)
  location.assign(url)
}

function mount(windowId: string, { id, player, src }: OpenedFrame): void {
  const tile = find(document, `.tile[data-player="${player}"]`)
  const iframe = element('iframe', {
    title: `The game, as ${tile.dataset['name']} sees it`,
    allow: 'autoplay; clipboard-write; fullscreen; gamepad',
  })
  iframe.setAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-pointer-lock allow-downloads',
  )
  iframe.src = src
  find(tile, '.screen').append(iframe)
  const silence = watchSilence({
    tile,
    ask: () => findObstacle(windowId),
    gameOrigin,
    busyPort: settings.busyPort,
  })
  frames.set(id, { id, tile, iframe, silence })
  watchPopovers(tile)
  find(tile, '.leave').addEventListener('click', () => leave(windowId, id))
  find(tile, '.device').addEventListener('change', ({ target }) => change(tile, player, target))
  watchPurchases(tile, player, { base: BASE, post })
  find(tile, '.join').addEventListener('submit', (event) => {
    event.preventDefault()
    void invite(tile, player)
  })
}

/** Closes the form when the secret was sent; the secret stays while nothing answers. */
async function invite(tile: HTMLElement, player: string): Promise<void> {
  const form = find(tile, '.join')
  if (!(form instanceof HTMLFormElement)) return
  const sent = await post('joins', { as: player, secret: new FormData(form).get('secret') }).catch(
    () => undefined,
  )
  if (sent?.ok === true) form.closest('details')?.removeAttribute('open')
}

/** Relays from a game to the emulator: only messages from a frame of this page, and from the game's own origin. */
function receive(windowId: string, { source, origin, data }: MessageEvent<unknown>): void {
  const frame = [...frames.values()].find(({ iframe }) => iframe.contentWindow === source)
  if (frame === undefined || !isRpcMessage(data)) return
  if (origin !== gameOrigin) {
    frame.silence.dropped(origin)
    note(frame, '→', [2, { code: 4001, message: `message of another origin dropped: ${origin}` }])
    frame.iframe.contentWindow?.postMessage(
      [2, { code: 4001, message: 'Invalid origin' }],
      origin === 'null' ? '*' : origin,
    )
    return
  }
  note(frame, '→', data)
  if (data[0] === 2) ended(frame, data[1])
  carry(() => post(`windows/${windowId}/frames/${frame.id}`, { message: data }))
}

function isRpcMessage(data: unknown): data is RpcMessage {
  return Array.isArray(data)
}

/** Relays from the emulator to a game, or handles messages for this page. */
function take({ frame: id = '', message, status, consent, dialog, blocked }: HostEvent): void {
  if (blocked !== undefined) say(blocked)
  const frame = frames.get(id)
  if (frame === undefined) return
  if (status !== undefined) setState(frame, status)
  if (consent !== undefined)
    askConsent(frame.tile, consent, (answer) => void post(`consents/${consent.id}`, answer))
  if (dialog !== undefined) showDialog(frame.tile, dialog, (result) => post(`dialogs/${dialog.id}`, result))
  if (status === 'disconnected') for (const shown of frame.tile.querySelectorAll('.dialog')) shown.remove()
  if (message === undefined) return
  note(frame, '←', message)
  frame.iframe.contentWindow?.postMessage(message, gameOrigin)
  if (message[0] === 2) ended(frame, message[1])
}

/** Close code 1000 is silent; any other code is shown. */
function ended(frame: Frame, { code, message }: { code?: number; message?: string } = {}): void {
  setState(frame, 'closed')
  if (code === 1000) return
  find(frame.tile, '.state').textContent = `closed: ${code}${message ? `, ${message}` : ''}`
}

/** A field of the device: a choice, or a state of the voice. */
function change(tile: HTMLElement, player: string, field: EventTarget | null): void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) return
  const { name, value } = field
  if (name === 'layoutMode') tile.dataset['layout'] = value
  if (name === 'orientation') tile.dataset['orientation'] = value
  void post('players', {
    as: player,
    ...(field instanceof HTMLInputElement ? { voice: { [name]: field.checked } } : { [name]: value }),
  })
}

async function findObstacle(windowId: string): Promise<string | undefined> {
  const framed = window.top === window ? '' : '?framed'
  const { obstacle }: { obstacle: string | null } = await (
    await fetch(`${BASE}windows/${windowId}/obstacle${framed}`)
  ).json()
  return obstacle ?? undefined
}

function setState({ tile, silence }: Pick<Frame, 'tile' | 'silence'>, state: string): void {
  if (state !== 'loading') silence.end()
  const label = find(tile, '.state')
  if (label.dataset['state'] === 'closed' && state === 'disconnected') return
  label.dataset['state'] = state
  label.textContent = state
}

function leave(windowId: string, id: string): void {
  const frame = frames.get(id)
  if (frame === undefined) return
  const { tile, iframe } = frame
  frames.delete(id)
  iframe.remove()
  for (const shown of tile.querySelectorAll('.consent')) shown.remove()
  setState(frame, 'left')
  find(tile, '.screen').append(
    element('p', { className: 'notice', textContent: `${tile.dataset['name']} has left.` }),
  )
  find(tile, '.leave').toggleAttribute('disabled', true)
  carry(() => fetch(`${BASE}windows/${windowId}/frames/${id}`, { method: 'DELETE' }))
}

/** Posts messages one at a time: the emulator receives them in the order in which the game sent them. */
function carry(send: () => Promise<unknown>): void {
  carried = carried.then(send).catch(() => undefined)
}

function post(path: string, body: object): Promise<Response> {
  return fetch(BASE + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}

function note({ tile }: Frame, direction: '→' | '←', message: RpcMessage): void {
  log.add({ player: tile.dataset['name'] ?? '', direction, message })
}

/** Settings of the page, which the emulator writes into the document. */
interface PageSettings {
  /** Id of the instance. */
  instance: string
  /** Ids of the players, separated by commas. */
  as: string
  channel: string
  /** Configured port of the page, if another program has it. */
  busyPort?: number
}

/** Launches again for the same players, unless that would discard what is typed: then the player decides. */
async function recover(launched: PageSettings): Promise<void> {
  const ready = await fetch(`${BASE}ready`).catch(() => undefined)
  const instance = ready?.ok === true ? await fetch(location.href).catch(() => undefined) : undefined
  if (instance === undefined) return void setTimeout(() => void recover(launched), 1000)
  if (instance.ok) return location.reload()
  const isTyped = [...document.querySelectorAll<HTMLInputElement>('.join input')].some(
    ({ value }) => value !== '',
  )
  if (!isTyped) return launchAgain(launched)
  say('The emulator was started again, and the instance ended with it. ')
  const button = element('button', { type: 'button', textContent: 'Launch again' })
  button.addEventListener('click', () => launchAgain(launched))
  find(document, '#status').append(button)
}

function launchAgain({ as, channel }: PageSettings): void {
  const form = element('form', { method: 'post', action: BASE, hidden: true })
  for (const player of as.split(',')) form.append(element('input', { name: 'as', value: player }))
  form.append(element('input', { name: 'channel', value: channel }))
  document.body.append(form)
  form.submit()
}

find(document, '.add').addEventListener('submit', addPlayer)
await open()
