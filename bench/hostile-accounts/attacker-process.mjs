/** The hostile accounts, in a process of their own so that their requests do not delay the service or the players. */
import { Agent, request } from 'node:http'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

const agent = new Agent({ keepAlive: true })
/** Requests by status; 0 is a connection that was reset. */
const answers = {}
const ending = new AbortController()

/** Requests of an account, by attack. */
const ATTACKS = {
  'false-reports': ({ account, token, lobby }, count) => {
    const invented = { type: 'message', message_id: String(7_000_000 + account * 10_000 + count) }
    return {
      method: 'POST',
      token,
      body: { lobby_id: lobby, ...(count % 2 === 0 ? { type: 'changed' } : invented) },
    }
  },
  'foreign-lobbies': ({ account, token, foreign }, count) => {
    const lobby = count % 2 === 0 ? foreign : String(900_000 + account * 10_000 + count)
    return { method: 'POST', token, body: { type: 'changed', lobby_id: lobby } }
  },
  'unknown-tokens': ({ account, lobby }, count) => {
    const token = `emu_access_${account}x${count}`
    return count % 2 === 0
      ? { method: 'GET', token }
      : { method: 'POST', token, body: { type: 'changed', lobby_id: lobby } }
  },
}

const send = (url, { method, token, body }) =>
  new Promise((resolve) => {
    const outgoing = request(
      url,
      { method, agent, headers: { authorization: `Bearer ${token}` } },
      (response) => {
        response.resume()
        response.on('close', () => resolve(response.statusCode))
      },
    )
    outgoing.on('error', () => resolve(0))
    outgoing.end(body && JSON.stringify(body))
  })

/** An account starts anywhere within its interval. */
async function attack(account, { url, name, interval }) {
  await pause(Math.random() * interval)
  for (let count = 0; !ending.signal.aborted; count++) {
    const status = await send(url, ATTACKS[name](account, count))
    answers[status] = (answers[status] ?? 0) + 1
    await pause(interval)
  }
}

let attacks = []
process.on('message', ({ accounts, ...options }) => {
  if (accounts) {
    attacks = accounts.map((account) => attack(account, options))
    return
  }
  ending.abort()
  void Promise.all(attacks).then(() => process.send({ answers }))
})
process.on('disconnect', () => process.exit())
process.send({ ready: true })
