/** Firefox of the system, driven by WebDriver BiDi alone: frames of another site, its own popup blocker and its back/forward cache included. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bidi, connectBidi } from './bidi'
import type { Engine, LaunchOptions, Profile } from './engine'
import { firefoxPage } from './firefox-page'
import { type Skip, unavailable } from './unavailable'

const FIREFOX = '/usr/bin/firefox-esr'
/** Without the automation's own preferences, which turn the popup blocker off; without first-run pages and updates. */
const PREFERENCES: Record<string, boolean> = {
  'remote.prefs.recommended': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.update.disabledForTesting': true,
  'app.normandy.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  // Services of the browser itself ask for names: each is this machine, where nothing answers them.
  'network.dns.native-is-localhost': true,
  // Work beside the pages, a sixth of the processor time.
  'browser.newtabpage.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.search.update': false,
  'browser.sessionstore.resume_from_crash': false,
  'browser.topsites.contile.enabled': false,
  'browser.translations.enable': false,
  'dom.ipc.processPrelaunch.enabled': false,
  'extensions.systemAddon.update.enabled': false,
  'extensions.update.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  'toolkit.cosmeticAnimations.enabled': false,
  'toolkit.telemetry.enabled': false,
  // For pages with WebGL: drivers in software are on the list of blocked ones.
  'webgl.force-enabled': true,
}

export async function firefox(test: Skip, { profile, webgl = false }: LaunchOptions = {}): Promise<Engine> {
  if (!existsSync(FIREFOX)) return unavailable(test, `${FIREFOX} is not installed`)
  const folder = profile?.folder ?? (await mkdtemp(join(tmpdir(), 'foyer-firefox-')))
  const preferences = { ...PREFERENCES, ...preferencesOf(profile) }
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${value});`)
  await writeFile(join(folder, 'user.js'), lines.join('\n'))
  const args = ['--no-remote', '--profile', folder, '--remote-debugging-port', '0', 'about:blank']
  // Without a display Firefox has no WebGL. A separate process group, so that the display ends with the browser.
  const [command, ...given] = webgl ? ['xvfb-run', '-a', FIREFOX, ...args] : [FIREFOX, '--headless', ...args]
  const env = { ...process.env, LIBGL_ALWAYS_SOFTWARE: '1' }
  const browser = spawn(command, given, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env })
  const ended = new Promise<void>((resolve) => browser.once('exit', () => resolve()))
  const address = await new Promise<string>((resolve, reject) => {
    let output = ''
    const read = (data: unknown) => {
      const [, found] = /listening on (ws:\S+)/.exec((output += String(data))) ?? []
      if (found) resolve(`${found}/session`)
    }
    browser.stderr.on('data', read)
    // `xvfb-run` joins both streams.
    browser.stdout.on('data', read)
    browser.once('exit', () => reject(new Error(`Firefox has ended: ${output}`)))
  })
  const bidi = await connectBidi(address)
  if (profile) return profileOf(bidi, () => ended)
  return engineOf(bidi, async () => {
    // Nothing of the profile has to be written. A display removes its lock only if it is asked to end.
    if (browser.pid !== undefined) process.kill(-browser.pid, webgl ? 'SIGTERM' : 'SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
}

/** `cookieBehavior` 2: no site stores anything. 5 is the default. */
const preferencesOf = (profile?: Profile) => ({
  'browser.privatebrowsing.autostart': !!profile?.isPrivate,
  'network.cookie.cookieBehavior': profile?.blocksStorage ? 2 : 5,
})

/** All pages are in the folder's own profile. Firefox ends by itself, so that everything is written. */
function profileOf(bidi: Bidi, ended: () => Promise<void>): Engine {
  return {
    async open() {
      const { context } = await bidi.send<{ context: string }>('browsingContext.create', { type: 'window' })
      return firefoxPage({ bidi, userContext: 'default', window: context, context })
    },
    async close() {
      await bidi.send('browser.close')
      await ended()
    },
  }
}

/** A container of Firefox (`userContext`) is a profile of its own. */
function engineOf(bidi: Bidi, close: () => Promise<void>): Engine {
  let userContext: string | undefined
  return {
    async open() {
      if (userContext) await bidi.send('browser.removeUserContext', { userContext })
      ;({ userContext } = await bidi.send<{ userContext: string }>('browser.createUserContext'))
      const { context } = await bidi.send<{ context: string }>('browsingContext.create', {
        type: 'tab',
        userContext,
      })
      return firefoxPage({ bidi, userContext, window: context, context })
    },
    close,
  }
}
