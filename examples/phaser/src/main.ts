import { Client, indexedDbStore } from 'foyer-sdk'
import { AUTO, Game, type GameObjects, Scale, Scene } from 'phaser'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
const client = new Client({ applicationId, service: { host }, tokenStore: indexedDbStore() })

class Start extends Scene {
  text!: GameObjects.Text

  create() {
    this.text = this.add.text(400, 260, '', { fontSize: 28 }).setOrigin(0.5)
    const button = this.add.text(400, 330, ' Sign in ', { fontSize: 28, backgroundColor: '#6a58f0' }).setOrigin(0.5)
    button.setPadding(12).setInteractive({ useHandCursor: true })
    // `pointerup`, not `pointerdown`: on touch screens only the end of a touch may open a window.
    button.on('pointerup', () => client.signIn().catch((error) => this.text.setText(error.message)))
    // A scene ends before the client does: remove what it has added.
    const off = client.on('sessionChanged', () => this.show())
    this.events.once('shutdown', off)
    void client.resume().then(() => this.show())
  }

  show() {
    const { session } = client
    this.text.setText(session ? `Welcome, ${session.user.displayName ?? session.userId}!` : 'Who are you?')
    document.title = this.text.text
  }
}

new Game({
  type: AUTO,
  width: 800,
  height: 600,
  parent: 'game',
  backgroundColor: '#14112a',
  scale: { mode: Scale.FIT, autoCenter: Scale.CENTER_BOTH },
  scene: Start,
})
