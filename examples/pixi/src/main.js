// Starlight: everyone in one lobby draws stars into the same sky.
import { Client, sessionStorageStore } from 'foyer-sdk'
import { Application, Container, Graphics, Text } from 'pixi.js'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
const client = new Client({ applicationId, service: { host }, tokenStore: sessionStorageStore() })
let lobby

const stage = document.querySelector('main')
const app = new Application()
await app.init({ resizeTo: stage, background: '#14112a', antialias: true })
stage.append(app.canvas)

// The same sky for everyone: 800 × 600, as large as the window allows, in its middle.
const WIDTH = 800
const HEIGHT = 600
const sky = new Container()
const stars = new Container()
const title = new Text({ text: '', anchor: 0.5, x: 400, y: 40, style: { fill: '#e8e3ff', fontSize: 24 } })
const button = new Graphics().roundRect(300, 260, 200, 80, 16).fill('#6a58f0')
button.addChild(
  new Text({ text: 'Sign in', anchor: 0.5, x: 400, y: 300, style: { fill: '#ffffff', fontSize: 28 } }),
)
Object.assign(button, { eventMode: 'static', cursor: 'pointer' })
sky.addChild(stars, title, button)
app.stage.addChild(sky)
// `screen` follows the window. A tap anywhere in it counts.
Object.assign(app.stage, { eventMode: 'static', hitArea: app.screen })
app.renderer.on('resize', fit)
fit()

function fit() {
  const { width, height } = app.screen
  const scale = Math.min(width / WIDTH, height / HEIGHT)
  sky.scale.set(scale)
  sky.position.set((width - WIDTH * scale) / 2, (height - HEIGHT * scale) / 2)
}

function show(text) {
  title.text = text
  document.title = text
}

async function attempt(step) {
  try {
    await step()
  } catch (error) {
    show(error.message)
  }
}

// `pointertap`, not `pointerdown`: on touch screens only the end of a touch may open a window.
button.on('pointertap', () => attempt(client.signIn))
app.stage.on('pointertap', (event) => {
  if (!lobby) return
  const place = event.getLocalPosition(sky)
  // Beside the sky, the star appears at its edge.
  const x = Math.round(Math.min(WIDTH, Math.max(0, place.x)))
  const y = Math.round(Math.min(HEIGHT, Math.max(0, place.y)))
  void attempt(() => lobby.send(`${x} ${y}`))
})

// The content comes from a page that its player can change: anything else than a place in the sky is ignored.
function draw({ message }) {
  const [x, y] = message.content.split(' ').map(Number)
  const isInSky = x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT
  if (!isInSky) return
  const star = new Graphics().star(x, y, 5, 14, 6).fill('#ffffff')
  star.tint = colorOf(message.author.id)
  stars.addChild(star)
  show(`${stars.children.length} stars`)
}

/** A light color, another one for each player. */
function colorOf(userId) {
  return Number(BigInt(userId) % 0xffffffn) | 0x808080
}

async function enter() {
  button.visible = !client.session
  const isInside = lobby?.endReason === null
  if (!client.session || isInside) return
  show(`Welcome, ${client.session.user.displayName ?? client.session.userId}!`)
  lobby = await client.createOrJoinLobby('starlight')
  lobby.on('message', draw)
  await lobby.watch({ interval: 1000 })
  await lobby.autoLeave()
  show('Tap the sky')
}

client.on('sessionChanged', () => attempt(enter))
show('Who are you?')
await attempt(client.resume)
