/** A game's main process as an ES module. */
import * as electron from 'electron'
import * as sdk from 'foyer-sdk/electron/main'
import { runGame } from './game.mjs'

runGame(electron, sdk)
