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
button.addChild(new Text({ text: 'Sign in', anchor: 0.5, x: 400, y: 300, style: { fill: '#ffffff', fontSize: 28 } }))
Object.assign(button, { eventMode: 'static', cursor: 'pointer' })
app.stage.addChild(title, button)
Object.assign(app.stage, { eventMode: 'static', hitArea: new Rectangle(0, 0, 800, 600) })

function show(text) {
  title.text = document.title = text
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
app.stage.on('pointertap', ({ global: { x, y } }) => {
  if (lobby) void attempt(() => lobby.send(`${Math.round(x)} ${Math.round(y)}`))
})

// The content comes from a page that its player can change: anything else than a place in the sky is ignored.
function draw({ message: { author, content } }) {
  const [x, y] = content.split(' ').map(Number)
  if (!(x >= 0 && x <= 800 && y >= 0 && y <= 600)) return
  const star = new Graphics().star(x, y, 5, 14, 6).fill('#ffffff')
  star.tint = Number(BigInt(author.id) % 0xffffffn) | 0x808080
  app.stage.addChild(star)
  show(`${app.stage.children.length - 2} stars`)
}

async function enter() {
  button.visible = !client.session
  if (!client.session || lobby?.endReason === null) return
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
