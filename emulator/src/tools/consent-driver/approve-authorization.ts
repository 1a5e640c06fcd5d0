/** Approves or denies an authorization for a player: drives the consent page over HTTP with cookies, without loading the callback. */
import { sentence } from '../../foundation/sentence.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import { INSTALLED_PATH } from '../../pages/documents/install-page.js'
import { findPlayer } from '../../state/find-user.js'
import type { Player } from '../../state/seed/seed.js'
import { CookieJar, type PlayerBrowsers } from './player-browsers.js'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

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
  { origin, players, browsers }: { origin: string; players: Player[]; browsers: PlayerBrowsers },
): Promise<string> {
  const player = findPlayer(players, choice.as)
  const start = ownUrl(url, origin)
  const isSilent = start.searchParams.get('prompt') === 'none'
  const jar = browsers.open(player.id, { isSilent })
  const decision = choice.deny === true ? 'deny' : 'approve'
  const redirect = await walk(start, { origin, player, decision, jar })
  if (decision === 'approve') browsers.keep(player.id, jar)
  return redirect
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
    if (page.location === undefined) page = await answerConsent(page, url, steps)
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

async function answerConsent({ status, rule }: Page, url: URL, steps: Steps): Promise<Page> {
  if (status < 200 || status > 299)
    throw new EmulatorError(
      'authorize_refused',
      sentence(`The authorize page refused: ${rule ?? `status ${status}`}`),
      { rule },
    )
  return requestPage(url, steps.jar, { as: steps.player.id, decision: steps.decision })
}

export interface DeviceApprovalInput extends ApprovalInput {
  userCode: string
}

/** @throws EmulatorError `unknown_user`, `device_refused`. */
export async function approveDevice(
  { userCode, as, deny = false }: DeviceApprovalInput,
  { origin, players }: { origin: string; players: Player[] },
): Promise<void> {
  const player = findPlayer(players, as)
  const jar = new CookieJar()
  const start = new URL('/activate', origin)
  const xsrf = /name="xsrf" value="([0-9a-f]+)"/.exec((await requestPage(start, jar)).body)?.[1] ?? ''
  const confirm = await requestPage(start, jar, { xsrf, user_code: userCode, confirm: 'yes' })
  const consent = new URL(locationOf(confirm), start)
  const answer = await requestPage(consent, jar, { as: player.id, decision: deny ? 'deny' : 'approve' })
  await requestPage(new URL(locationOf(answer), consent), jar)
}

function locationOf({ location, status, rule }: Page): string {
  if (location !== undefined) return location
  throw new EmulatorError(
    'device_refused',
    sentence(`The page for devices refused: ${rule ?? `status ${status}`}`),
    {
      rule,
    },
  )
}

export interface Page {
  status: number
  body: string
  /** Where it sends the browser. */
  location: string | undefined
  /** The rule that refused the request. */
  rule: string | undefined
}

/** Sends and stores cookies; follows no redirect. Default: without a `form`, a GET request. */
async function requestPage(url: URL, jar: CookieJar, form?: Record<string, string>): Promise<Page> {
  const body = form === undefined ? undefined : String(new URLSearchParams(form))
  const type = { Origin: url.origin, 'Content-Type': 'application/x-www-form-urlencoded' }
  const headers = {
    Accept: 'text/html',
    Cookie: jar.header(url.pathname),
    ...(body === undefined ? {} : type),
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url.href, { method: body === undefined ? 'GET' : 'POST', headers, agent: false }, resolve)
      .on('error', reject)
      .end(body)
  })
  jar.store(response.headers['set-cookie'] ?? [])
  const rule = response.headers['x-emulator-rule']
  return {
    status: response.statusCode ?? 0,
    body: await text(response),
    location: response.headers.location,
    rule: rule?.toString(),
  }
}
