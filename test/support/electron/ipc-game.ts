/** A game whose windows have no page: a test writes the messages of a frame and reads those that it receives. */
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
  authState?: string
}

/** Creates a window without a page that records the messages it receives. */
export function openWindow() {
  const received: unknown[] = []
  const sender = Object.assign(new WebContents((message) => received.push(message)), { mainFrame: GAME })
  return { sender, received }
}

export const codeOf = async (answer: Promise<Answer>): Promise<unknown> =>
  JSON.parse((await answer).error ?? '{}').code

/** Registers the hooks of the calling file. */
export function useIpcGame() {
  const mainProcess = useMainProcessGame()
  const start = (options: Partial<MainClientOptions> = {}) => {
    const game = mainProcess.start({
      windows: [{ origin: ORIGIN }],
      roads: ['loopback', 'paste'],
      ...options,
    })
    const window = openWindow()
    /** Sends any value as the message of a frame. */
    const send = async (message: unknown, frame: Frame | null = GAME): Promise<Answer> => {
      const handler = ipcMain.handlers.get('foyer:call')
      if (!handler) throw new Error('no door')
      return JSON.parse(await handler({ sender: window.sender, senderFrame: frame }, message))
    }
    const call = (path: string, args: readonly unknown[] = [], frame: Frame | null = GAME) =>
      send(JSON.stringify({ id: `${Math.random()}`, path, args }), frame)
    return { ...game, ...window, send, call }
  }
  return { shell: mainProcess, start }
}
