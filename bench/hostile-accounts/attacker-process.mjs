/** The hostile accounts, and strangers with invented codes, in a process of their own so that they do not delay the service or the players. */
import { Agent, request } from 'node:http'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { postSignIn } from './post-sign-in.mjs'

const agent = new Agent({ keepAlive: true })
/** Requests by status; 0 is a connection that was reset. */
const answers = {}
/** Of those with invented codes. */
const codeAnswers = {}
const ending = new AbortController()
/** ms between two looks at how many invented codes are due. */
const TICK = 20
const VERIFIER = 'v'.repeat(43)

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
      `${url}/lobbies`,
      { method, agent, headers: { authorization: `Bearer ${token}` } },
      (response) => {
        response.resume()
        response.on('close', () => resolve(response.statusCode))
      },
    )
    outgoing.on('error', () => resolve(0))
    outgoing.end(body && JSON.stringify(body))
  })

/** An account starts anywhere within its interval, and asks each process in turn. */
async function attack(account, { urls, name, interval }) {
  await pause(Math.random() * interval)
  for (let count = 0; !ending.signal.aborted; count++) {
    const status = await send(urls[count % urls.length], ATTACKS[name](account, count))
    answers[status] = (answers[status] ?? 0) + 1
    await pause(interval)
  }
}

async function sendCode(url, options) {
  const status = await postSignIn(url, options)
  codeAnswers[status] = (codeAnswers[status] ?? 0) + 1
}

/** Sends that many codes a second whether they are answered or not, from each address and to each process in turn. */
async function inventCodes({ perSecond, addresses, urls, origin }) {
  const from = performance.now()
  for (let count = 0; !ending.signal.aborted;) {
    const due = ((performance.now() - from) * perSecond) / 1000
    for (; count < due; count++) {
      const body = {
        code: `invented-${count}`,
        codeVerifier: VERIFIER,
        redirectUri: `${origin}/callback.html`,
      }
      const address = `203.0.113.${(count % addresses) + 1}`
      // Each address comes to each process.
      const url = urls[(count + Math.floor(count / addresses)) % urls.length]
      void sendCode(url, { body, origin, address })
    }
    await pause(TICK)
  }
}

let attacks = []
process.on('message', ({ accounts, codes, ...options }) => {
  if (accounts) {
    attacks = accounts.map((account) => attack(account, options))
    if (codes) void inventCodes({ ...codes, ...options })
    return
  }
  ending.abort()
  void Promise.all(attacks).then(() => process.send({ answers, codeAnswers }))
})
process.on('disconnect', () => process.exit())
process.send({ ready: true })
