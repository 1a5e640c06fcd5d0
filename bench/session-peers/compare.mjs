/**
 * Signs a player in with Foyer and with other libraries, by one provider that lies on request: `node bench/session-peers/compare.mjs`.
 * Prints what each does. It needs the build, and `npm ci` in this folder.
 */
import { existsSync, readFileSync } from 'node:fs'
import { Browser } from './browser.mjs'
import { PEERS } from './peers.mjs'
import { ISSUER, Provider } from './provider.mjs'

if (!existsSync(new URL('node_modules', import.meta.url)))
  throw new Error('Run `npm ci --prefix bench/session-peers` first')
const provider = await new Provider().open()
/** Nothing leaves this process. */
globalThis.fetch = (input, init) => {
  const { url } = new Request(input, init)
  if (!url.startsWith(ISSUER)) throw new Error(`Unexpected request: ${url}`)
  return provider.fetch(input, init)
}
for (const name of ['log', 'warn', 'error']) console[name] = () => undefined

const SIBLING = { origin: 'https://other.game.example', 'sec-fetch-site': 'same-site' }
const PARALLEL = 20

/** @param {(callback: URL) => void} [change] Changes the callback. */
async function signIn(game, browser, change = () => undefined) {
  const callback = new URL(provider.approve(await game.begin(browser)))
  change(callback)
  await game.finish(browser, callback.href).catch(() => undefined)
}

/** True if the player is signed in. */
const isIn = async (game, browser) => Boolean(await game.token(browser).catch(() => undefined))

async function open(peer) {
  provider.lie = (claims) => claims
  provider.isForged = false
  provider.lifetime = 3600
  const game = await peer.create()
  const browser = new Browser((request) => game.handle(request))
  return { game, browser }
}

/** `refused` if a changed sign-in leads to no session. */
async function refuses(peer, { lie = (claims) => claims, isForged = false, change }) {
  const { game, browser } = await open(peer)
  Object.assign(provider, { lie, isForged })
  await signIn(game, browser, change)
  return (await isIn(game, browser)) ? 'ACCEPTED' : 'refused'
}

async function countRequests(peer) {
  const { game, browser } = await open(peer)
  const counted = []
  for (let round = 0; round < 2; round++) {
    provider.requests = []
    browser.requests = []
    browser.cookies.clear()
    await signIn(game, browser)
    await game.show(browser)
    if (peer !== PEERS.foyer) await game.token(browser)
    counted.push([browser.requests, provider.requests].map((list) => [...list]))
  }
  if (!(await isIn(game, browser))) throw new Error('Nobody is signed in')
  return counted
}

/** The callback of one browser, in another one with an attempt of its own. */
async function injects(peer) {
  const { game, browser } = await open(peer)
  const foreign = provider.approve(await game.begin(new Browser((request) => game.handle(request))))
  await game.begin(browser)
  await game.finish(browser, foreign).catch(() => undefined)
  return (await isIn(game, browser)) ? 'ACCEPTED' : 'refused'
}

async function signsOutForSibling(peer) {
  const { game, browser } = await open(peer)
  await signIn(game, browser)
  await peer.siblingRequest(browser, SIBLING).catch(() => undefined)
  return (await isIn(game, browser)) ? 'refused' : 'ACCEPTED'
}

/** 20 calls at once with an access token that has ended. */
async function refreshesAtOnce(peer) {
  const { game, browser } = await open(peer)
  provider.lifetime = 1
  await signIn(game, browser)
  await new Promise((resolve) => void setTimeout(resolve, 1500))
  provider.lifetime = 3600
  provider.requests = []
  const cookies = new Map(browser.cookies)
  const tokens = await Promise.all(
    Array.from({ length: PARALLEL }, () => game.token(browser).catch(() => undefined)),
  )
  const refreshes = provider.requests.filter((each) => each === 'POST token').length
  const moved = [...browser.cookies].some(([name, value]) => cookies.get(name) !== value)
  const after = await isIn(game, browser)
  return {
    refreshes,
    answered: tokens.filter(Boolean).length,
    distinct: new Set(tokens.filter(Boolean)).size,
    moved,
    after,
  }
}

async function inspect(peer) {
  const { game, browser } = await open(peer)
  const authorize = new URL(await game.begin(browser)).searchParams
  await game.finish(browser, provider.approve(`${ISSUER}authorize?${authorize}`)).catch(() => undefined)
  await game.show(browser)
  await game.token(browser)
  const readable = [...browser.cookies.values()]
    .map((value) => value + Buffer.from(decodeURIComponent(value), 'base64url').toString('latin1'))
    .join('\n')
  return {
    pkce: authorize.get('code_challenge_method'),
    state: authorize.has('state'),
    nonce: authorize.has('nonce'),
    refreshTokenArrives: /refresh-[\da-f]{8}-/.test(browser.received),
    tokenInCookies: /(?:refresh|access)-[\da-f]{8}-/.test(readable),
    cookies: [...browser.cookies.keys()],
  }
}

const linesOf = (name) =>
  readFileSync(new URL(`games/${name}.mjs`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//') && !line.startsWith('import'))
    .length

function versionOf(name) {
  const path = name === 'foyer-sdk' ? '../../package.json' : `node_modules/${name}/package.json`
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')).version
}

const describe = ([browser, service]) =>
  `${browser.length} to the backend (${browser.join(', ')}), ${service.length} to the service (${service.join(', ')})`

const only = process.argv.slice(2)
for (const [name, peer] of Object.entries(PEERS)) {
  if (only.length > 0 && !only.includes(name)) continue
  const [first, second] = await countRequests(peer)
  const rows = {
    lines: linesOf(name),
    'first sign-in': describe(first),
    'second sign-in': describe(second),
    ...(await inspect(peer)),
    'state of another': await refuses(peer, {
      change: (callback) => callback.searchParams.set('state', 'another-state-of-32-characters-x'),
    }),
    'callback of another browser': await injects(peer),
    'issuer of the callback': await refuses(peer, {
      change: (callback) => callback.searchParams.set('iss', 'https://evil.example/'),
    }),
    'nonce of the ID token': await refuses(peer, { lie: (claims) => ({ ...claims, nonce: 'another' }) }),
    'issuer of the ID token': await refuses(peer, {
      lie: (claims) => ({ ...claims, iss: 'https://evil.example/' }),
    }),
    'audience of the ID token': await refuses(peer, {
      lie: (claims) => ({ ...claims, aud: 'another-game' }),
    }),
    'signature of the ID token': await refuses(peer, { isForged: true }),
    'expiry of the ID token': await refuses(peer, {
      lie: (claims) => ({ ...claims, exp: claims.iat - 3600 }),
    }),
    'sign-out by a sibling origin': await signsOutForSibling(peer),
    [`${PARALLEL} calls at once`]: JSON.stringify(await refreshesAtOnce(peer)),
  }
  process.stdout.write(`\n${peer.package} ${versionOf(peer.package)}\n`)
  for (const [row, value] of Object.entries(rows))
    process.stdout.write(`  ${row.padEnd(30)} ${String(value)}\n`)
}
process.exit()
