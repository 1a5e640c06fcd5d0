/** Games with the real packages of game engines: a button in the middle of the canvas signs in, by the engine's own input. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { ENGINE_MODULES } from '../game-engines'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export interface EngineGameCode {
  name: string
  /** Files of the package, loaded before the game as classic scripts. */
  scripts?: readonly string[]
  /**
   * Code of the game. Globals of the page: `canvas`, `countFrame`, `signIn`, and `signInOnGesture` for engines that process input in a later
   * frame, where WebKit opens no popup.
   */
  code: string
  /** The game is a module. */
  isModule?: boolean
}

const BABYLON = `
import { Engine } from '@babylonjs/core/Engines/engine'
import { Scene } from '@babylonjs/core/scene'
import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera'
import { Vector3 } from '@babylonjs/core/Maths/math.vector'
import { CreateBox } from '@babylonjs/core/Meshes/Builders/boxBuilder'
import { ActionManager } from '@babylonjs/core/Actions/actionManager'
import { ExecuteCodeAction } from '@babylonjs/core/Actions/directActions'
import '@babylonjs/core/Culling/ray'
import '@babylonjs/core/Materials/standardMaterial'
const engine = new Engine(canvas, false)
const scene = new Scene(engine)
const camera = new FreeCamera('camera', new Vector3(0, 0, -5), scene)
camera.setTarget(Vector3.Zero())
const box = CreateBox('button', { size: 2 }, scene)
box.actionManager = new ActionManager(scene)
box.actionManager.registerAction(new ExecuteCodeAction(ActionManager.OnPickTrigger, () => signIn()))
engine.runRenderLoop(() => { scene.render(); countFrame() })`

export const ENGINE_GAMES: readonly EngineGameCode[] = [
  {
    name: 'Phaser',
    scripts: ['phaser/dist/phaser.min.js'],
    code: `new Phaser.Game({ type: Phaser.CANVAS, canvas, width: 300, height: 200, scene: {
      create() { this.add.rectangle(150, 100, 200, 100, 0xffffff).setInteractive().on('pointerup', signIn) },
      update: countFrame,
    } })`,
  },
  {
    name: 'PixiJS',
    scripts: ['pixi.js/dist/pixi.min.js'],
    code: `const app = new PIXI.Application()
      app.init({ canvas, width: 300, height: 200, preference: 'webgl' }).then(() => {
        const button = new PIXI.Graphics().rect(50, 50, 200, 100).fill(0xffffff)
        button.eventMode = 'static'
        button.on('pointertap', signIn)
        app.stage.addChild(button)
        app.ticker.add(countFrame)
      })`,
  },
  {
    name: 'Three.js',
    isModule: true,
    code: `import * as THREE from '/${ENGINE_MODULES}/three/build/three.module.js'
      const renderer = new THREE.WebGLRenderer({ canvas })
      const scene = new THREE.Scene()
      const camera = new THREE.PerspectiveCamera(60, 1.5, 0.1, 10)
      camera.position.z = 3
      const box = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2), new THREE.MeshBasicMaterial())
      scene.add(box)
      const raycaster = new THREE.Raycaster()
      canvas.addEventListener('pointerup', ({ offsetX, offsetY }) => {
        raycaster.setFromCamera(new THREE.Vector2((offsetX / 300) * 2 - 1, 1 - (offsetY / 200) * 2), camera)
        if (raycaster.intersectObject(box).length > 0) signIn()
      })
      renderer.setAnimationLoop(() => { renderer.render(scene, camera); countFrame() })`,
  },
  { name: 'Babylon.js', isModule: true, code: BABYLON },
  {
    name: 'PlayCanvas',
    scripts: ['playcanvas/build/playcanvas.min.js'],
    code: `const app = new pc.Application(canvas, { mouse: new pc.Mouse(canvas) })
      app.mouse.on(pc.EVENT_MOUSEUP, signIn)
      app.on('update', countFrame)
      app.start()`,
  },
  {
    name: 'Excalibur',
    scripts: ['excalibur/build/dist/excalibur.min.js'],
    code: `const game = new ex.Engine({ canvasElement: canvas, width: 300, height: 200, suppressPlayButton: true, suppressConsoleBootMessage: true })
      const button = new ex.Actor({ x: 150, y: 100, width: 200, height: 100, color: ex.Color.White })
      button.on('pointerup', signInOnGesture)
      game.add(button)
      game.on('postupdate', countFrame)
      game.start()`,
  },
  {
    name: 'Excalibur, as a module',
    isModule: true,
    code: `import { Actor, Color, Engine } from 'excalibur'
      import { watchGestures } from 'foyer-sdk/engine'
      const gestures = watchGestures()
      const game = new Engine({ canvasElement: canvas, width: 300, height: 200, suppressPlayButton: true, suppressConsoleBootMessage: true })
      const button = new Actor({ x: 150, y: 100, width: 200, height: 100, color: Color.White })
      button.on('pointerup', () => gestures.callOnGesture(signIn))
      game.add(button)
      game.on('postupdate', countFrame)
      game.start()`,
  },
  {
    name: 'Kaplay',
    scripts: ['kaplay/dist/kaplay.js'],
    code: `const k = kaplay({ canvas, width: 300, height: 200, global: false })
      // Not an object's onClick: Kaplay takes the place from mousemove, which WebKit's driver does not send before a click.
      k.add([k.rect(200, 100), k.pos(50, 50)])
      k.onMousePress(signInOnGesture)
      k.onUpdate(countFrame)`,
  },
]

const built = new Map<string, Promise<string>>()

/** The game's script; a game that imports packages by name is bundled, once. */
export function codeOf({ name, code }: Pick<EngineGameCode, 'name' | 'code'>): string | Promise<string> {
  if (!/from '[@\w]/.test(code)) return code
  const known = built.get(name) ?? bundle(code)
  built.set(name, known)
  return known
}

async function bundle(code: string): Promise<string> {
  const id = '\0game'
  const output = await build({
    root: join(ROOT, ENGINE_MODULES, '..'),
    resolve: { alias: { 'foyer-sdk/engine': join(ROOT, 'dist/tools/engine/index.js') } },
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'game',
        resolveId: (source) => (source === 'game' ? id : undefined),
        load: (path) => (path === id ? code : undefined),
      },
    ],
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: 'game', output: { codeSplitting: false } },
    },
  })
  const [result] = Array.isArray(output) ? output : [output]
  const chunk = result && 'output' in result ? result.output[0] : undefined
  if (!chunk) throw new Error('Nothing was bundled.')
  return chunk.code
}
