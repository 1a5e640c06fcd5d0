/** A game whose windows have no page: a test writes by hand what a frame sends, and reads what it is told. */
import type { MainClientOptions } from 'foyer-sdk/electron/main'
import { useMainProcessGame } from './main-process-game'
import { ipcMain, WebContents } from './fake-electron.mjs'

export const ORIGIN = 'app://game'

export interface Frame {
  origin: string
  parent: Frame | null
}

export const GAME: Frame = { origin: ORIGIN, parent: null }

interface Answer {
  value?: string
  error?: string
  presence?: string
}

/** A window without a page: what it is told is kept. */
export function openWindow() {
  const told: unknown[] = []
  const sender = Object.assign(new WebContents((message) => told.push(message)), { mainFrame: GAME })
  return { sender, told }
}

export const codeOf = async (answer: Promise<Answer>): Promise<unknown> => JSON.parse((await answer).error ?? '{}').code

/** Registers the hooks of the calling file. */
export function useIpcGame() {
  const shell = useMainProcessGame()
  const start = (options: Partial<MainClientOptions> = {}) => {
    const game = shell.start({ windows: [{ origin: ORIGIN }], roads: ['loopback', 'paste'], ...options })
    const window = openWindow()
    /** A message as it comes from a frame, whatever it is. */
    const send = async (message: unknown, frame: Frame | null = GAME): Promise<Answer> => {
      const handler = ipcMain.handlers.get('foyer:call')
      if (!handler) throw new Error('no door')
      return JSON.parse(await handler({ sender: window.sender, senderFrame: frame }, message))
    }
    const call = (verb: string, args: readonly unknown[] = [], frame: Frame | null = GAME) =>
      send(JSON.stringify({ id: `${Math.random()}`, verb, args }), frame)
    return { ...game, ...window, send, call }
  }
  return { shell, start }
}
