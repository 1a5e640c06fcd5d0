/** Host page: loads the game into frames, and relays messages between them and the emulator, in order. */

import { showDialog } from './host-dialog.js'
import { watchSilence } from './host-silence.js'

const base = '/_activity/'
const grid = document.querySelector('#frames')
const settings = JSON.parse(grid.dataset.settings)
/** Keyed by frame id. */
const frames = new Map()
let carried = Promise.resolve()
let gameOrigin = ''

await open()

async function open() {
  const answer = await post('windows', { instance_id: settings.instance, as: settings.as })
  if (!answer.ok) return say('This instance is over. Launch the Activity anew.')
  say('')
  const { window: id, origin, frames: opened } = await answer.json()
  gameOrigin = origin
  const stream = new EventSource(`${base}windows/${id}/events`)
  stream.addEventListener('message', ({ data }) => take(JSON.parse(data)))
  stream.addEventListener('error', () => {
    stream.close()
    say('The emulator does not answer. Nothing is lost: this page goes on by itself when it is back.')
    setTimeout(() => void recover(), 1000)
  })
  // Load the frames only after the stream is open: the game sends its handshake at once, and responses arrive on the stream.
  stream.addEventListener('open', () => opened.forEach((frame) => mount(id, frame)), { once: true })
  addEventListener('message', (event) => receive(id, event))
}

/** The instance ended with the emulator: launches it again for the same players, unless that would discard what is typed. */
async function recover() {
  const ready = await fetch(`${base}ready`).catch(() => undefined)
  if (!ready?.ok) return void setTimeout(() => void recover(), 1000)
  const instance = await fetch(location.href).catch(() => undefined)
  if (instance === undefined) return void setTimeout(() => void recover(), 1000)
  if (instance.ok) return location.reload()
  const isTyped = [...document.querySelectorAll('.join input')].some(({ value }) => value !== '')
  if (!isTyped) return launchAgain()
  say('The emulator was started again, and the instance ended with it. ')
  const button = element('button', { type: 'button', textContent: 'Launch again' })
  button.addEventListener('click', launchAgain)
  document.querySelector('#status').append(button)
}

function launchAgain() {
  const form = element('form', { method: 'post', action: base, hidden: true })
  for (const player of settings.as.split(',')) form.append(element('input', { name: 'as', value: player }))
  form.append(element('input', { name: 'channel', value: settings.channel }))
  document.body.append(form)
  form.submit()
}

function mount(windowId, { id, player, src }) {
  const tile = document.querySelector(`.tile[data-player="${player}"]`)
  const iframe = document.createElement('iframe')
  iframe.title = `The game, as ${tile.dataset.name} sees it`
  iframe.allow = 'autoplay; clipboard-write; fullscreen; gamepad'
  iframe.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-pointer-lock allow-downloads')
  iframe.src = src
  tile.querySelector('.screen').append(iframe)
  const silence = watchSilence({ tile, ask: () => findObstacle(windowId), gameOrigin, busyPort: settings.busyPort })
  frames.set(id, { id, tile, iframe, silence })
  tile.querySelector('.leave').addEventListener('click', () => leave(windowId, id))
  tile.querySelector('.device').addEventListener('change', ({ target }) => change(tile, player, target))
  tile.querySelector('.join').addEventListener('submit', (event) => {
    event.preventDefault()
    const secret = new FormData(event.target).get('secret')
    void post('joins', { as: player, secret })
    tile.querySelector('.more').open = false
  })
}

/** Relays from a game to the emulator: only messages from a frame of this page, and from the game's own origin. */
function receive(windowId, { source, origin, data }) {
  const frame = [...frames.values()].find(({ iframe }) => iframe.contentWindow === source)
  if (frame === undefined || !Array.isArray(data)) return
  if (origin !== gameOrigin) {
    frame.silence.dropped(origin)
    note(frame, '→', [2, { code: 4001, message: `message of another origin dropped: ${origin}` }])
    source.postMessage([2, { code: 4001, message: 'Invalid origin' }], origin === 'null' ? '*' : origin)
    return
  }
  note(frame, '→', data)
  if (data[0] === 2) ended(frame, data[1])
  carry(() => post(`windows/${windowId}/frames/${frame.id}`, { message: data }))
}

/** Relays from the emulator to a game, or handles messages for this page. */
function take({ frame: id, message, status, consent, dialog, blocked }) {
  if (blocked !== undefined) say(blocked)
  const frame = frames.get(id)
  if (frame === undefined) return
  if (status !== undefined) setState(frame, status)
  if (consent !== undefined) ask(frame, consent)
  if (dialog !== undefined) showDialog(frame.tile, dialog, (result) => post(`dialogs/${dialog.id}`, result))
  if (status === 'disconnected') frame.tile.querySelectorAll('.dialog').forEach((shown) => shown.remove())
  if (message === undefined) return
  note(frame, '←', message)
  frame.iframe.contentWindow?.postMessage(message, gameOrigin)
  if (message[0] === 2) ended(frame, message[1])
}

/** Close code 1000 is silent; any other code is shown. */
function ended(frame, { code, message } = {}) {
  setState(frame, 'closed')
  if (code === 1000) return
  frame.tile.querySelector('.state').textContent = `closed: ${code}${message ? `, ${message}` : ''}`
}

/** A field of the device: a choice, or a state of the voice. */
function change(tile, player, { name, type, value, checked }) {
  if (name === 'layoutMode') tile.dataset.layout = value
  if (name === 'orientation') tile.dataset.orientation = value
  void post('players', { as: player, ...(type === 'checkbox' ? { voice: { [name]: checked } } : { [name]: value }) })
}

async function findObstacle(windowId) {
  const answer = await fetch(`${base}windows/${windowId}/obstacle`)
  return (await answer.json()).obstacle ?? undefined
}

function setState({ tile, silence }, state) {
  if (state !== 'loading') silence.end()
  const label = tile.querySelector('.state')
  if (label.dataset.state === 'closed' && state === 'disconnected') return
  label.dataset.state = state
  label.textContent = state
}

function leave(windowId, id) {
  const { tile, iframe, silence } = frames.get(id)
  frames.delete(id)
  iframe.remove()
  tile.querySelectorAll('.consent').forEach((shown) => shown.remove())
  setState({ tile, silence }, 'left')
  tile.querySelector('.screen').append(element('p', { className: 'notice', textContent: `${tile.dataset.name} has left.` }))
  tile.querySelector('.leave').disabled = true
  carry(() => fetch(`${base}windows/${windowId}/frames/${id}`, { method: 'DELETE' }))
}

/** Consent dialog over the frame that requested the authorization. */
function ask({ tile }, { id, scopes, application }) {
  tile.querySelector('.consent')?.remove()
  const dialog = element('section', { className: 'consent' })
  dialog.setAttribute('role', 'alertdialog')
  dialog.setAttribute('aria-label', `${application} asks ${tile.dataset.name} for access`)
  const list = element('ul', {})
  for (const { description } of scopes) list.append(element('li', { textContent: description }))
  const answer = (approve) => {
    dialog.remove()
    void post(`consents/${id}`, { approve })
  }
  const approve = element('button', { className: 'primary', textContent: 'Approve', type: 'button' })
  const deny = element('button', { textContent: 'Deny', type: 'button' })
  approve.addEventListener('click', () => answer(true))
  deny.addEventListener('click', () => answer(false))
  const actions = element('div', { className: 'actions' })
  actions.append(approve, deny)
  dialog.append(
    element('h3', { textContent: `${application} asks for access` }),
    element('p', { className: 'quiet', textContent: `It will be able to, as ${tile.dataset.name}:` }),
    list,
    actions,
  )
  tile.querySelector('.screen').append(dialog)
  approve.focus()
}

/** Posts messages one at a time: the emulator receives them in the order in which the game sent them. */
function carry(send) {
  carried = carried.then(send).catch(() => undefined)
}

function post(path, body) {
  return fetch(base + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
}

function note({ tile }, direction, message) {
  const line = element('li', { className: message[1]?.evt === 'ERROR' || message[0] === 2 ? 'refused' : '' })
  const texts = [tile.dataset.name, direction, JSON.stringify(message, hideSecrets)]
  line.append(...texts.map((textContent) => element('span', { textContent })))
  const log = document.querySelector('#log')
  log.append(line)
  if (log.children.length > 500) log.firstElementChild.remove()
  document.querySelector('#count').textContent = String(Number(document.querySelector('#count').textContent) + 1)
}

function hideSecrets(key, value) {
  return ['access_token', 'code', 'secret', 'join', 'match', 'ticket'].includes(key) && typeof value === 'string' ? '[secret]' : value
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties)
}

function say(message) {
  const status = document.querySelector('#status')
  status.textContent = message
  status.hidden = message === ''
}

document.querySelector('.add').addEventListener('submit', (event) => {
  event.preventDefault()
  const url = new URL(location.href)
  url.searchParams.set('as', `${settings.as},${event.target.elements.player.value}`)
  location.assign(url)
})
