// Starlight: everyone in one lobby draws stars into the same sky.
import { Client, sessionStorageStore } from 'foyer-sdk'
import { Application, Graphics, Rectangle, Text } from 'pixi.js'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
const client = new Client({ applicationId, service: { host }, tokenStore: sessionStorageStore() })
let lobby

const app = new Application()
await app.init({ width: 800, height: 600, background: '#17132e', antialias: true })
document.body.append(app.canvas)

const title = new Text({ text: '', anchor: 0.5, x: 400, y: 40, style: { fill: '#e8e3ff', fontSize: 24 } })
const button = new Graphics().roundRect(300, 260, 200, 80, 16).fill('#6a58f0')
button.addChild(
  new Text({ text: 'Sign in', anchor: 0.5, x: 400, y: 300, style: { fill: '#ffffff', fontSize: 28 } }),
)
Object.assign(button, { eventMode: 'static', cursor: 'pointer' })
app.stage.addChild(title, button)
Object.assign(app.stage, { eventMode: 'static', hitArea: new Rectangle(0, 0, 800, 600) })

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
  const x = Math.round(event.global.x)
  const y = Math.round(event.global.y)
  if (lobby) void attempt(() => lobby.send(`${x} ${y}`))
})

// The content comes from a page that its player can change: anything else than a place in the sky is ignored.
function draw({ message }) {
  const [x, y] = message.content.split(' ').map(Number)
  const isInSky = x >= 0 && x <= 800 && y >= 0 && y <= 600
  if (!isInSky) return
  const star = new Graphics().star(x, y, 5, 14, 6).fill('#ffffff')
  star.tint = colorOf(message.author.id)
  app.stage.addChild(star)
  // The title and the button are there too.
  show(`${app.stage.children.length - 2} stars`)
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
