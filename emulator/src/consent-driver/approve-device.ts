/** Approves or denies a device code for a player: drives the activation page over HTTP. */
import { findPlayer } from '../seed/find-player.js'
import { EmulatorError } from '../foundation/emulator-error.js'
import type { Player } from '../seed/seed-types.js'
import { CookieJar } from './cookie-jar.js'
import { send, type ApprovalInput } from './approve.js'

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
  const xsrf = /name="xsrf" value="([0-9a-f]+)"/.exec(await (await send(start, jar)).text())?.[1] ?? ''
  const confirm = await send(start, jar, new URLSearchParams({ xsrf, user_code: userCode, confirm: 'yes' }))
  const consent = new URL(location(confirm), start)
  const answer = await send(consent, jar, new URLSearchParams({ as: player.id, decision: deny ? 'deny' : 'approve' }))
  const last = await send(new URL(location(answer), consent), jar)
  await last.body?.cancel()
}

function location(response: Response): string {
  const next = response.headers.get('location')
  if (next !== null) return next
  const rule = response.headers.get('x-emulator-rule') ?? undefined
  throw new EmulatorError('device_refused', `The page for devices refused: ${rule ?? `status ${response.status}`}.`, { rule })
}
