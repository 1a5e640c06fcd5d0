// Star race: everyone in one lobby flies a ship to where they tap. Who is first at the star has it, and the next one appears.
import { Client, type Lobby, type LobbyMessage, lobbyStream, sessionStorageStore } from 'foyer-sdk'
import { AUTO, Display, Game, type GameObjects, Math as Geometry, Scale, Scene } from 'phaser'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
// The emulator's stream brings messages at once. For your players that of your backend's hub does. Without one, they come each second.
const live = host?.startsWith('http:') ? { lobbyUpdates: lobbyStream(`${host}/lobby-stream`) } : {}
const client = new Client({ applicationId, service: { host }, tokenStore: sessionStorageStore(), ...live })

const WIDTH = 800
const HEIGHT = 600
/** A window of another shape shows more of the sky around the field. */
const SKY = { left: -WIDTH, top: -HEIGHT, width: 3 * WIDTH, height: 3 * HEIGHT }
/** Where a ship begins. */
const START = { x: WIDTH / 2, y: HEIGHT - 80 }
/** Pixels a second. */
const SPEED = 260
/** Distance in pixels at which a ship has reached the star. */
const REACH = 30
const FONT = 'system-ui, sans-serif'

interface Place {
  x: number
  y: number
}

interface Ship {
  body: GameObjects.Container
  hull: GameObjects.Triangle
  target: Place
  name: string
  stars: number
}

class Race extends Scene {
  ships = new Map<string, Ship>()
  lobby: Lobby | undefined
  /** Id of the player who is in the lobby. */
  player = ''
  /** Number of the star that is there. */
  star = 0
  /** Number of the star that this player has claimed last. */
  claimed = -1
  goal!: GameObjects.Star
  text!: GameObjects.Text
  button!: GameObjects.Text
  signOutButton!: GameObjects.Text

  create() {
    this.addSky()
    this.center()
    this.goal = this.addGoal()
    this.text = this.add.text(WIDTH / 2, 36, '', { fontFamily: FONT, fontSize: 24 }).setOrigin(0.5)
    this.button = this.addButton(' Sign in ')
    // `pointerup`, not `pointerdown`: on touch screens only the end of a touch may open a window.
    this.button.on('pointerup', () => this.attempt(client.signIn))
    this.signOutButton = this.addButton(' Sign out ')
      .setPosition(WIDTH - 70, HEIGHT - 24)
      .setScale(0.5)
    this.signOutButton.setVisible(false).on('pointerup', () => this.attempt(() => this.signOut()))
    this.input.on('pointerup', (pointer: { worldX: number; worldY: number }) =>
      this.fly(pointer.worldX, pointer.worldY),
    )
    // A scene ends before the client and the game do: remove what it has added.
    const off = client.on('sessionChanged', () => this.attempt(() => this.enter()))
    this.scale.on('resize', this.center, this)
    this.events.once('shutdown', () => {
      off()
      this.scale.off('resize', this.center, this)
    })
    this.show('Who are you?')
    void this.attempt(client.resume)
  }

  /** Keeps the field in the middle of the window. */
  center() {
    this.cameras.main.centerOn(WIDTH / 2, HEIGHT / 2)
  }

  addSky() {
    for (let index = 0; index < 810; index++) {
      const x = SKY.left + ((index * 331) % SKY.width)
      const y = SKY.top + ((index * 173) % SKY.height)
      const radius = 1 + (index % 3) / 2
      const brightness = 0.15 + (index % 5) / 8
      this.add.circle(x, y, radius, 0xffffff, brightness)
    }
  }

  /** Adds the star that all fly to. */
  addGoal() {
    const goal = this.add.star(0, 0, 5, 10, 22, 0xffcb45).setVisible(false)
    this.tweens.add({ targets: goal, scale: 1.2, angle: 36, duration: 700, yoyo: true, repeat: -1 })
    return goal
  }

  addButton(label: string) {
    const button = this.add.text(WIDTH / 2, 330, label, {
      fontFamily: FONT,
      fontSize: 28,
      backgroundColor: '#6a58f0',
    })
    return button.setOrigin(0.5).setPadding(16).setInteractive({ useHandCursor: true })
  }

  /** Joins the lobby of all players, when somebody has signed in. */
  async enter() {
    const { session } = client
    this.button.setVisible(!session)
    this.signOutButton.setVisible(session !== null)
    if (!session) this.clear()
    // The names of the player may come after the session, as another event.
    if (!session || this.player === session.userId) return
    this.player = session.userId
    this.lobby = await client.createOrJoinLobby('star-race')
    this.lobby.on('message', ({ message }) => this.receive(message))
    this.lobby.on('memberRemoved', ({ member }) => this.remove(member.id))
    await this.lobby.watch({ interval: 1000 })
    await this.lobby.autoLeave()
    await this.catchUp(this.lobby)
    await this.lobby.send(`fly ${START.x} ${START.y}`)
  }

  /** Leaves first, since only a player who is signed in can. A network that is away delays the sign-out by 2 s at most. */
  async signOut() {
    await this.lobby?.leave({ signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    await client.signOut()
  }

  /** Removes the race of the player who has signed out. */
  clear() {
    for (const id of this.ships.keys()) this.remove(id)
    this.lobby = undefined
    this.player = ''
    this.star = 0
    this.claimed = -1
    this.goal.setVisible(false)
    this.show('Who are you?')
  }

  /** Plays what those who are here have sent before, the oldest message first. */
  async catchUp(lobby: Lobby) {
    const messages = await lobby.fetchMessages({ limit: 200 })
    const here = new Set<string>(lobby.members.map((member) => member.id))
    for (const message of messages.toReversed()) {
      if (here.has(message.author.id)) this.receive(message)
    }
  }

  /** Flies the ship of this player. Everybody learns where to. A ship stays in the field. */
  fly(x: number, y: number) {
    const own = this.ships.get(this.player)
    if (!own) return
    own.target = { x: Math.round(Geometry.Clamp(x, 0, WIDTH)), y: Math.round(Geometry.Clamp(y, 0, HEIGHT)) }
    void this.attempt(() => this.lobby?.send(`fly ${own.target.x} ${own.target.y}`))
  }

  /** The content comes from a page that its player can change: a place outside of the sky, and a star that is not there, are ignored. */
  receive({ author, content }: LobbyMessage) {
    const [word, ...rest] = content.split(' ')
    const numbers = rest.map(Number)
    if (word === 'fly') this.receiveTarget(author, { x: numbers[0], y: numbers[1] })
    if (word === 'star') this.receiveClaim(author, numbers[0])
    this.goal.setPosition(placeOf(this.star).x, placeOf(this.star).y).setVisible(true)
    this.showScore()
  }

  receiveTarget(author: LobbyMessage['author'], target: Place) {
    const isInSky = target.x >= 0 && target.x <= WIDTH && target.y >= 0 && target.y <= HEIGHT
    if (isInSky) this.shipOf(author).target = target
  }

  /** The order of the messages decides who was first. */
  receiveClaim(author: LobbyMessage['author'], star: number) {
    if (star !== this.star) return
    this.star += 1
    this.shipOf(author).stars += 1
  }

  shipOf(author: LobbyMessage['author']): Ship {
    return this.ships.get(author.id) ?? this.addShip(author)
  }

  addShip({ id, globalName, username }: LobbyMessage['author']): Ship {
    const name = (globalName ?? username).slice(0, 16)
    const hull = this.add.triangle(0, 0, 0, 0, 36, 13, 0, 26, colorOf(id))
    const label = this.add.text(0, 30, name, { fontFamily: FONT, fontSize: 15 }).setOrigin(0.5)
    const body = this.add.container(START.x, START.y, [hull, label])
    const ship = { body, hull, name, stars: 0, target: START }
    this.ships.set(id, ship)
    return ship
  }

  remove(id: string) {
    this.ships.get(id)?.body.destroy()
    this.ships.delete(id)
    this.showScore()
  }

  /** Phaser calls it before each frame, with the ms since the last one. */
  update(_: number, delta: number) {
    for (const ship of this.ships.values()) move(ship, (SPEED * delta) / 1000)
    const own = this.ships.get(this.player)
    if (own) this.claim(own)
  }

  /** Claims the star that the ship has reached, once. */
  claim(own: Ship) {
    const isReached = Geometry.Distance.BetweenPoints(own.body, this.goal) < REACH
    if (!isReached || this.claimed >= this.star) return
    this.claimed = this.star
    void this.attempt(() => this.lobby?.send(`star ${this.star}`))
  }

  /** Does something that may fail, and shows why it did. */
  async attempt(step: () => unknown) {
    try {
      await step()
    } catch (error) {
      this.show((error as Error).message)
    }
  }

  showScore() {
    const scores = [...this.ships.values()].map(({ name, stars }) => `${name} ${stars}`)
    this.show(scores.join(' · '))
  }

  show(text: string) {
    document.title = text
    this.text.setText(text)
  }
}

/** Where a star appears: the same place for everyone. */
function placeOf(star: number): Place {
  return { x: 60 + ((star * 397 + 211) % 680), y: 100 + ((star * 263 + 97) % 440) }
}

/** A bright color, another one for each player. */
function colorOf(userId: string): number {
  const hue = Number(BigInt(userId) % 360n) / 360
  return Display.Color.HSLToColor(hue, 0.85, 0.65).color
}

/** Moves a ship towards its target, at most this many pixels. */
function move({ body, hull, target }: Ship, most: number) {
  const distance = Geometry.Distance.BetweenPoints(body, target)
  if (distance > 1) hull.rotation = Geometry.Angle.BetweenPoints(body, target)
  const part = Math.min(1, most / Math.max(distance, 1))
  body.setPosition(body.x + (target.x - body.x) * part, body.y + (target.y - body.y) * part)
}

new Game({
  type: AUTO,
  width: WIDTH,
  height: HEIGHT,
  parent: 'game',
  backgroundColor: '#14112a',
  // The canvas takes the whole window, and at least the field is in it.
  scale: { mode: Scale.EXPAND },
  scene: Race,
})
