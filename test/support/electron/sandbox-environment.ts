/** What a game on a desk is started with: a home of its own, and what the test has said of it. */
import { join } from 'node:path'
import type { Emulator } from 'foyer-emulator'
import type { PackedPackage } from '../packed-package'

export interface SandboxOptions {
  /** What Linux would say its key store is. */
  keyStore?: string
  /** Custom scheme of the game, registered with the system. */
  schemeName?: string
  windows?: number
  /** Options of `createMainClient` that are plain data. */
  options?: Record<string, unknown>
  module?: 'main.mjs' | 'main.cjs' | 'demo-game.mjs'
  /** `none`: no browser opens. `chromium`: a real one, on a display of its own, instead of a script. */
  browser?: 'none' | 'chromium'
}

/** What a desk is made of. */
export interface SandboxParts {
  emulator: Emulator
  packed: PackedPackage
  home: string
  main: string
  /** Of the page that windows show. */
  origin: string
  display: string | undefined
  close: () => Promise<void>
}

export const DESKTOP_FILE = 'game.desktop'

export function desktopEntry(command: readonly string[], scheme: string): string {
  return `[Desktop Entry]\nType=Application\nName=Test\nExec=${command.join(' ')} %u\nMimeType=x-scheme-handler/${scheme};\n`
}

/** A home of its own, so that the machine stays as it is. */
export function environment({ home, display }: SandboxParts): Record<string, string> {
  const { PATH = '', CHROMIUM = '/usr/bin/chromium', DISPLAY = ':99', XAUTHORITY } = process.env
  return {
    PATH,
    CHROMIUM,
    // xdg-open asks only whether there is one. A real Electron draws on it, with the key that it was made with.
    DISPLAY: display ?? DISPLAY,
    ...(XAUTHORITY !== undefined && { XAUTHORITY }),
    HOME: home,
    // What a browser leaves there that was killed goes with the home.
    TMPDIR: home,
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_CONFIG_HOME: join(home, '.config'),
  }
}

/** What the stand-in, the game and the demo are told. */
export function roles({ emulator, home, origin }: SandboxParts, options: SandboxOptions): Record<string, string> {
  const { schemeName, windows, options: clientOptions, keyStore, browser } = options
  const desktopFile = schemeName && DESKTOP_FILE
  const game = {
    applicationId: emulator.application.id,
    host: emulator.url,
    origin,
    schemeName,
    windows,
    options: clientOptions,
    control: join(home, 'control.sock'),
  }
  return {
    STAND_IN: JSON.stringify({ userData: join(home, 'user-data'), keyStore, desktopFile, browser }),
    GAME: JSON.stringify(game),
    FOYER_HOST: emulator.url,
    FOYER_APPLICATION_ID: emulator.application.id,
  }
}
