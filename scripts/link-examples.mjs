/** Lets the examples of a clone find the SDK as a game finds it: `npm run dev` in the folder of one runs it. */
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Where `npm ci` leaves no package for the examples. The engines are there once a lane has installed them. */
const ENGINES = 'test/support/game-engines/node_modules'
const PLACES = { 'foyer-sdk': '.', phaser: `${ENGINES}/phaser`, 'pixi.js': `${ENGINES}/pixi.js` }

for (const [name, place] of Object.entries(PLACES)) {
  const link = join('examples/node_modules', name)
  rmSync(link, { force: true })
  if (!existsSync(place)) continue
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(
    process.platform === 'win32' ? join(process.cwd(), place) : relative(dirname(link), place),
    link,
    'junction',
  )
}
