/** Approves or denies a device code for a player: drives the activation page over HTTP. */
import { findPlayer } from '../seed/find-player.js'
import { EmulatorError } from '../foundation/emulator-error.js'
import type { Player } from '../seed/seed.js'
import { CookieJar } from './cookie-jar.js'
import type { ApprovalInput } from './approve-authorization.js'
import { type Page, requestPage } from './request-page.js'

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
  throw new EmulatorError('device_refused', `The page for devices refused: ${rule ?? `status ${status}`}.`, { rule })
}
