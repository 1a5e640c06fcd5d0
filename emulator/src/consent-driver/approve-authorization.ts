/** Approves or denies an authorization for a player: drives the consent page over HTTP with cookies, without loading the callback. */
import { findPlayer } from '../seed/find-player.js'
import { EmulatorError } from '../foundation/emulator-error.js'
import { INSTALLED_PATH } from '../pages/install-page.js'
import type { Player } from '../seed/seed.js'
import { CookieJar } from './cookie-jar.js'
import { type Page, requestPage } from './request-page.js'

export interface ApprovalInput {
  /** Id or username. */
  as: string
  deny?: boolean | undefined
}

interface Steps {
  origin: string
  player: Player
  decision: 'approve' | 'deny'
  jar: CookieJar
}

/** Maximum number of redirects and forms; no sign-in needs as many. */
const MAX_STEPS = 6

/**
 * @returns the callback URL exactly as in the redirect; for an installation, the URL of its result page.
 * @throws EmulatorError `foreign_url`, `unknown_user`, `authorize_refused`.
 */
export async function approveAuthorization(
  url: string,
  choice: ApprovalInput,
  { origin, players }: { origin: string; players: Player[] },
): Promise<string> {
  const player = findPlayer(players, choice.as)
  const start = ownUrl(url, origin)
  return walk(start, { origin, player, decision: choice.deny === true ? 'deny' : 'approve', jar: new CookieJar() })
}

function ownUrl(url: string, origin: string): URL {
  const parsed = URL.parse(url)
  const own = new URL(origin)
  const hosts = [own.host, `localhost:${own.port}`]
  if (parsed === null || parsed.protocol !== 'http:' || !hosts.includes(parsed.host)) {
    throw new EmulatorError('foreign_url', `The authorize URL must begin with ${origin}/oauth2/authorize.`)
  }
  return new URL(parsed.pathname + parsed.search, origin)
}

async function walk(start: URL, steps: Steps): Promise<string> {
  let page = await requestPage(start, steps.jar)
  let url = start
  for (let step = 0; step < MAX_STEPS; step++) {
    if (page.location === undefined) page = await answer(page, url, steps)
    else {
      const next = new URL(page.location, url)
      if (next.origin !== steps.origin) return page.location
      if (next.pathname === INSTALLED_PATH) return next.href
      url = next
      page = await requestPage(url, steps.jar)
    }
  }
  throw new EmulatorError('authorize_refused', 'The sign-in did not come to an end.')
}

async function answer({ status, rule }: Page, url: URL, steps: Steps): Promise<Page> {
  if (status < 200 || status > 299)
    throw new EmulatorError('authorize_refused', `The authorize page refused: ${rule ?? `status ${status}`}.`, { rule })
  return requestPage(url, steps.jar, { as: steps.player.id, decision: steps.decision })
}
