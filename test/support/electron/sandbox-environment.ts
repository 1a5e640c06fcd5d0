/** Environment of a game in a sandbox: a temporary home, and the options of the test. */
import { join } from 'node:path'
import type { Emulator } from 'foyer-emulator'
import type { PackedPackage } from '../packed-package'

export interface SandboxOptions {
  /** Key store that Linux reports. */
  keyStore?: string
  /** Custom scheme of the game, registered with the system. */
  schemeName?: string
  /** Registers the launch scheme of the emulator's application too. Without `schemeName` it is that of sign-ins. */
  launches?: boolean
  windows?: number
  /** Options of `createMainClient` that are plain data. */
  options?: Record<string, unknown>
  module?: 'main.mjs' | 'main.cjs' | 'demo-game.mjs'
  /** `none`: no browser opens. `chromium`: a real one on a virtual display, instead of a script. */
  browser?: 'none' | 'chromium'
}

/** Parts of a sandbox. */
export interface SandboxParts {
  emulator: Emulator
  packed: PackedPackage
  home: string
  main: string
  /** Origin of the page that windows show. */
  origin: string
  display: string | undefined
  close: () => Promise<void>
}

export const DESKTOP_FILE = 'game.desktop'

export function desktopEntry(command: readonly string[], scheme: string): string {
  return `[Desktop Entry]\nType=Application\nName=Test\nExec=${command.join(' ')} %u\nMimeType=x-scheme-handler/${scheme};\n`
}

/** Folder of the service's program, for a test that starts one. */
export const programFolder = (home: string) => join(home, 'program')

/** Uses a temporary home, so that the machine is not changed. */
export function environment(
  { home, display }: SandboxParts,
  { launches }: SandboxOptions,
): Record<string, string> {
  const { PATH = '', CHROMIUM = '/usr/bin/chromium', DISPLAY = ':99', XAUTHORITY } = process.env
  return {
    PATH,
    CHROMIUM,
    // xdg-open only checks that the variable is set. A real Electron draws on the display, with the key that it was created with.
    DISPLAY: display ?? DISPLAY,
    ...(XAUTHORITY !== undefined && { XAUTHORITY }),
    HOME: home,
    // Files that a killed browser leaves there are deleted with the home.
    TMPDIR: home,
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_CONFIG_HOME: join(home, '.config'),
    FOYER_LOCAL_PROGRAM: programFolder(home),
    // Elsewhere xdg-open 1.1.3 takes an address for a file if its scheme has a digit.
    ...(launches && { XDG_CURRENT_DESKTOP: 'GNOME' }),
  }
}

/** Variables for the fake Electron, the game and the demo. */
export function roles(
  { emulator, home, origin }: SandboxParts,
  options: SandboxOptions,
): Record<string, string> {
  const { schemeName, launches, windows, options: clientOptions, keyStore, browser } = options
  const launchName = launches ? `service-${emulator.application.id}` : undefined
  const desktopFile = (schemeName ?? launchName) && DESKTOP_FILE
  const game = {
    applicationId: emulator.application.id,
    host: emulator.url,
    origin,
    schemeName: schemeName ?? launchName,
    launchName,
    windows,
    options: clientOptions,
    control: join(home, 'control.sock'),
  }
  return {
    FAKE_ELECTRON: JSON.stringify({ userData: join(home, 'user-data'), keyStore, desktopFile, browser }),
    GAME: JSON.stringify(game),
    FOYER_HOST: emulator.url,
    FOYER_APPLICATION_ID: emulator.application.id,
  }
}
