/** A game's main process in CommonJS. */
const electron = require('electron')
const sdk = require('foyer-sdk/electron/main')
const { runGame } = require('./game.mjs')

runGame(electron, sdk)
