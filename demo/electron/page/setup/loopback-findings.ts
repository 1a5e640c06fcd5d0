/** Describes the test of the loopback server in words, with the cause of a failure. */
import type { Check, LoopbackReport } from 'foyer-sdk/electron/checks'
import type { Finding } from './finding'

const STEPS: Readonly<Record<string, readonly [what: string, passed: string]>> = {
  listen: ['Server', 'The server of a sign-in started.'],
  wrong_state: ['Wrong state', 'A response with a wrong state was refused.'],
  right_state: ['Right state', 'The response with the right state was accepted.'],
  closed: ['End', 'The port is closed again.'],
}

const FORBIDDEN =
  'The system forbids servers: a firewall, or a sandbox. A Flatpak needs --share=network, a Snap the plugs network and network-bind, a game of the Mac App Store com.apple.security.network.server.'
const BUSY = 'No port is free: other programs keep them busy. Close programs that use many connections.'
const BLOCKED =
  'The server did not receive the request: a firewall or a security program blocks connections on this machine. Allow connections to 127.0.0.1 for this game.'

const CAUSES: Readonly<Record<string, string>> = {
  EPERM: FORBIDDEN,
  EACCES: FORBIDDEN,
  EADDRINUSE: BUSY,
  EADDRNOTAVAIL: BUSY,
  EMFILE: BUSY,
  ENFILE: BUSY,
  ECONNREFUSED: BLOCKED,
  ECONNRESET: BLOCKED,
  ETIMEDOUT: BLOCKED,
}

export function loopbackFindings({ checks }: LoopbackReport): Finding[] {
  return checks.map((check) => {
    const [what, passed] = STEPS[check.check] ?? [check.check, '']
    return check.result === 'passed'
      ? { result: 'passed', what, text: passed }
      : { result: 'failed', what, text: failure(check) }
  })
}

function failure({ check, got = 'unknown' }: Check): string {
  const code = ` (${got})`
  if (check === 'closed')
    return `The port still answers after the end.${code} Another program may use it now.`
  return (
    (CAUSES[got] ??
      'Another program answered: a proxy or a security program stands between the browser and the game.') +
    code
  )
}

export function loopbackFacts({ port }: LoopbackReport): [string, string][] {
  return [
    [
      'Address',
      port === undefined ? 'none' : `http://127.0.0.1:${port}/callback, with another port at each sign-in`,
    ],
  ]
}
