// Star race: everyone in one lobby flies a ship to where they tap. Who is first at the star has it, and the next one appears.
import { Client, type Lobby, type LobbyMessage, lobbyStream, sessionStorageStore } from 'foyer-sdk'
import { AUTO, Display, Game, type GameObjects, Math as Geometry, Scale, Scene } from 'phaser'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
// The emulator's stream brings messages at once. For your players that of your backend's hub does; without one, they come each second.
const live = host?.startsWith('http:') ? { lobbyUpdates: lobbyStream(`${host}/lobby-stream`) } : {}
const client = new Client({ applicationId, service: { host }, tokenStore: sessionStorageStore(), ...live })

const [WIDTH, HEIGHT] = [800, 600]
/** Pixels a second. */
const SPEED = 260
/** Distance in pixels at which a ship has reached the star. */
const REACH = 30
/** Where a star appears: the same place for everyone. */
const placeOf = (star: number) => ({ x: 60 + ((star * 397 + 211) % 680), y: 100 + ((star * 263 + 97) % 440) })

interface Ship {
  body: GameObjects.Container
  hull: GameObjects.Triangle
  target: { x: number; y: number }
  name: string
  stars: number
}

class Race extends Scene {
  ships = new Map<string, Ship>()
  lobby?: Lobby
  /** Id of the player who is in the lobby. */
  player = ''
  /** Number of the star that is there, and of the one that this player has claimed last. */
  star = 0
  claimed = -1
  goal!: GameObjects.Star
  text!: GameObjects.Text
  button!: GameObjects.Text

  create() {
    for (let index = 0; index < 90; index++)
      this.add.circle((index * 331) % WIDTH, (index * 173) % HEIGHT, 1 + (index % 3) / 2, 0xffffff, 0.15 + (index % 5) / 8)
    this.goal = this.add.star(0, 0, 5, 10, 22, 0xffcb45).setVisible(false)
    this.tweens.add({ targets: this.goal, scale: 1.2, angle: 36, duration: 700, yoyo: true, repeat: -1 })
    this.text = this.add.text(WIDTH / 2, 36, '', { fontFamily: 'system-ui, sans-serif', fontSize: 24 }).setOrigin(0.5)
    this.button = this.add.text(WIDTH / 2, 330, ' Sign in ', {
      fontFamily: 'system-ui, sans-serif',
      fontSize: 28,
      backgroundColor: '#6a58f0',
    })
    this.button.setOrigin(0.5).setPadding(16).setInteractive({ useHandCursor: true })
    // `pointerup`, not `pointerdown`: on touch screens only the end of a touch may open a window.
    this.button.on('pointerup', () => this.attempt(client.signIn))
    this.input.on('pointerup', ({ worldX, worldY }: { worldX: number; worldY: number }) => this.fly(worldX, worldY))
    // A scene ends before the client does: remove what it has added.
    const off = client.on('sessionChanged', () => this.attempt(() => this.enter()))
    this.events.once('shutdown', off)
    this.show('Who are you?')
    void this.attempt(client.resume)
  }

  async enter() {
    this.button.setVisible(!client.session)
    // The names of the player may come after the session, as another event.
    if (!client.session || this.player === client.session.userId) return
    this.player = client.session.userId
    this.lobby = await client.createOrJoinLobby('star-race')
    this.lobby.on('message', ({ message }) => this.receive(message))
    this.lobby.on('memberRemoved', ({ member }) => this.remove(member.id))
    await this.lobby.watch({ interval: 1000 })
    await this.lobby.autoLeave()
    const messages = await this.lobby.fetchMessages({ limit: 200 })
    const here = new Set<string>(this.lobby.members.map(({ id }) => id))
    for (const message of messages.toReversed()) if (here.has(message.author.id)) this.receive(message)
    await this.lobby.send(`fly ${WIDTH / 2} ${HEIGHT - 80}`)
  }

  fly(x: number, y: number) {
    const own = this.ships.get(this.player)
    if (!own) return
    own.target = { x: Math.round(x), y: Math.round(y) }
    void this.attempt(() => this.lobby?.send(`fly ${own.target.x} ${own.target.y}`))
  }

  /** The content comes from a page that its player can change: a place outside of the sky, and a star that is not there, are ignored. */
  receive({ author, content }: LobbyMessage) {
    const [word, ...rest] = content.split(' ')
    const [x, y] = rest.map(Number)
    if (word === 'fly' && x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT) this.shipOf(author).target = { x, y }
    // The order of the messages decides who was first.
    if (word === 'star' && x === this.star) [this.star, this.shipOf(author).stars] = [this.star + 1, this.shipOf(author).stars + 1]
    this.goal.setPosition(placeOf(this.star).x, placeOf(this.star).y).setVisible(true)
    this.showScore()
  }

  shipOf({ id, globalName, username }: LobbyMessage['author']): Ship {
    const known = this.ships.get(id)
    if (known) return known
    const { color } = Display.Color.HSLToColor(Number(BigInt(id) % 360n) / 360, 0.85, 0.65)
    const name = (globalName ?? username).slice(0, 16)
    const hull = this.add.triangle(0, 0, 0, 0, 36, 13, 0, 26, color)
    const label = this.add.text(0, 30, name, { fontFamily: 'system-ui, sans-serif', fontSize: 15 }).setOrigin(0.5)
    const body = this.add.container(WIDTH / 2, HEIGHT - 80, [hull, label])
    const ship = { body, hull, name, stars: 0, target: { x: body.x, y: body.y } }
    this.ships.set(id, ship)
    return ship
  }

  remove(id: string) {
    this.ships.get(id)?.body.destroy()
    this.ships.delete(id)
    this.showScore()
  }

  update(_: number, delta: number) {
    for (const [id, { body, hull, target }] of this.ships) {
      const distance = Geometry.Distance.BetweenPoints(body, target)
      if (distance > 1) hull.rotation = Geometry.Angle.BetweenPoints(body, target)
      const part = Math.min(1, (SPEED * delta) / 1000 / Math.max(distance, 1))
      body.setPosition(body.x + (target.x - body.x) * part, body.y + (target.y - body.y) * part)
      if (id === this.player && this.claimed < this.star && Geometry.Distance.BetweenPoints(body, this.goal) < REACH) {
        this.claimed = this.star
        void this.attempt(() => this.lobby?.send(`star ${this.star}`))
      }
    }
  }

  async attempt(step: () => unknown) {
    try {
      await step()
    } catch (error) {
      this.show((error as Error).message)
    }
  }

  showScore() {
    this.show([...this.ships.values()].map(({ name, stars }) => `${name} ${stars}`).join(' · '))
  }

  show(text: string) {
    document.title = text
    this.text.setText(text)
  }
}

new Game({
  type: AUTO,
  width: WIDTH,
  height: HEIGHT,
  parent: 'game',
  backgroundColor: '#14112a',
  scale: { mode: Scale.FIT, autoCenter: Scale.CENTER_BOTH },
  scene: Race,
})
