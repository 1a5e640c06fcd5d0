// @vitest-environment happy-dom
/** Invitations in the address bar: taken once, cleaned away, and nothing else is touched. */
import { Client, type Invitation, popupSurface, redirectSurface } from 'foyer-sdk'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { CallWorld, openPage } from '../support/public-calls'

const GAME = 'https://game.test/play/'
const SERVICE = { host: 'https://service.test' }

const visit = (url: string): void =>
  (window as Window & { happyDOM?: { setURL(url: string): void } }).happyDOM?.setURL(url)

interface Visitor {
  profile?: string
  brand?: string
}

/** The client of a page that was opened at this address; without one, at the address where the page is now. */
function open(address?: string, { profile = 'default', brand = 'service' }: Visitor = {}): Client {
  if (address !== undefined) visit(address)
  return new Client({ applicationId: '1', service: { ...SERVICE, brand }, profile })
}

/** What the page takes from an address, and the address afterwards. */
function taken(address: string): [Invitation | null, string] {
  const invitation = open(address).takeInvitation()
  return [invitation, location.href]
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('an invitation in the address bar', () => {
  it.each([
    ['#join=moon-42', 'moon-42', GAME],
    ['#join=four%20in%20a%20row%20%E2%9C%93', 'four in a row ✓', GAME],
    ['#join=a%26b%3Dc%23d%25', 'a&b=c#d%', GAME],
    ['?level=3&profile=bob#room=7&join=moon&view=top', 'moon', `${GAME}?level=3&profile=bob#room=7&view=top`],
    ['?utm=x&custom_id=join%3Dmoon&instance_id=i-1', 'moon', `${GAME}?utm=x&instance_id=i-1`],
  ])('%s is taken, and its part alone is removed', (part, secret, left) => {
    expect(taken(GAME + part)).toEqual([{ secret }, left])
  })

  it.each([
    ['?secret=moon', GAME],
    ['/?secret=moon', GAME],
    ['?level=3&secret=moon#top', `${GAME}?level=3#top`],
  ])(
    'the join address of the service with %s is one of the game, whose relative addresses are right again',
    async (part, left) => {
      const client = open(`${GAME}_service/join${part}`)
      expect(new URL(String(await popupSurface().redirectUri?.())).pathname).toBe('/play/callback.html')
      expect(new URL(String(await redirectSurface().redirectUri?.())).pathname).toBe('/play/')
      expect([client.takeInvitation(), location.href]).toEqual([{ secret: 'moon' }, left])
    },
  )

  it('a plus sign of a join address, or of a link to an Activity, is a blank, since a query is form-encoded, and one of a fragment is itself', () => {
    expect(taken(`${GAME}_service/join?secret=a+b%2Bc`)[0]).toEqual({ secret: 'a b+c' })
    expect(taken(`${GAME}?custom_id=join%3Da+b%2Bc`)[0]).toEqual({ secret: 'a b+c' })
    expect(taken(`${GAME}#join=a+b`)[0]).toEqual({ secret: 'a+b' })
  })

  it('the join address contains the name of the service, and that of another one is a page of the game', () => {
    const address = `${GAME}_another/join?secret=moon`
    expect(open(address, { brand: 'another' }).takeInvitation()).toEqual({ secret: 'moon' })
    expect(taken(address)).toEqual([null, address])
  })

  it('is taken once, whichever client of the page asks', () => {
    const client = open(`${GAME}#join=moon`)
    expect(client.takeInvitation()).toEqual({ secret: 'moon' })
    expect([client.takeInvitation(), open().takeInvitation()]).toEqual([null, null])
  })

  it('of the fragment counts, if the launch of an Activity is in the address too, and neither is taken later', () => {
    expect(taken(`${GAME}?custom_id=join%3Dold&level=3#join=new`)).toEqual([
      { secret: 'new' },
      `${GAME}?level=3`,
    ])
  })

  it('is taken again when the player opens another link in the same page', () => {
    const client = open(`${GAME}#join=moon`)
    client.takeInvitation()
    location.hash = '#join=sun'
    expect(client.takeInvitation()).toEqual({ secret: 'sun' })
  })

  it('leaves routers a history state with the new address', () => {
    visit(`${GAME}?a=1#join=moon`)
    history.replaceState({ route: '/play/?a=1#join=moon', index: 0 }, '')
    let heard = 0
    window.addEventListener('popstate', () => heard++, { once: true })
    open().takeInvitation()
    expect([history.state, heard]).toEqual([{ route: '/play/?a=1', index: 0 }, 1])
  })
})

/** Secrets that no link may bring, as they stand in an address. */
const HOSTILE: readonly (readonly [string, string])[] = [
  ['empty', ''],
  ['of blanks', '%20%20'],
  ['of 251 characters', 'a'.repeat(251)],
  ['of a megabyte', 'a'.repeat(1_000_000)],
  ['with a line break', 'moon%0A42'],
  ['with a null character', 'moon%00'],
  ['with an escape sequence', '%1B%5B31mred'],
  ['with a C1 control character', 'a%C2%85b'],
  ['with malformed percent encoding', 'moon%'],
  ['with bytes that are no UTF-8', '%FF%FE'],
  ['with a lone surrogate', '%ED%A0%80'],
  ['with an overlong encoding', '%C0%AF'],
  ['with markup', '%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E'],
  ['that is the name of a prototype', '__proto__'],
]

describe('a hostile secret', () => {
  it.each(HOSTILE)('attack/211 %s gives null and is removed, wherever it stands', (_, secret) => {
    expect(taken(`${GAME}?level=3#join=${secret}&room=7`)).toEqual([null, `${GAME}?level=3#room=7`])
    expect(taken(`${GAME}_service/join?level=3&secret=${secret}`)).toEqual([null, `${GAME}?level=3`])
    expect(taken(`${GAME}?custom_id=join%3D${secret}&level=3`)).toEqual([null, `${GAME}?level=3`])
  })

  it('that is repeated gives null, and both are removed', () => {
    expect(taken(`${GAME}#join=moon&join=sun`)).toEqual([null, GAME])
    expect(taken(`${GAME}_service/join?secret=moon&secret=moon`)).toEqual([null, GAME])
  })

  it('of 250 characters, counted as people do, is none', () => {
    const secret = '🌑'.repeat(250)
    expect(taken(`${GAME}#join=${encodeURIComponent(secret)}`)).toEqual([{ secret }, GAME])
  })
})

describe('what is no invitation stays in the address bar', () => {
  it.each([
    '',
    '?code=4/0AX4&state=google-123',
    '?error=access_denied&state=evil#top',
    '#access_token=x&state=y',
    '#join',
    '#/lobby/join=moon',
    '#/lobby?join=moon',
    '#rejoin=moon',
    '?join=moon',
    '?secret=moon',
    '?custom_id=level-3',
    '_service/join',
    '_service/join?code=1',
    '_service/join/friends?secret=moon',
  ])('%s', (part) => {
    expect(taken(GAME + part)).toEqual([null, GAME + part])
  })

  it('a response of a sign-in beside an invitation', () => {
    const response = '?code=abc&state=0123456789012345678901'
    expect(taken(`${GAME}${response}#join=moon`)).toEqual([{ secret: 'moon' }, GAME + response])
  })
})

/** Loads the page again, at the address where it is. */
function reload(): void {
  const timeOrigin = performance.timeOrigin + 1
  vi.stubGlobal('performance', { timeOrigin, now: () => 0 })
  onTestFinished(() => void vi.unstubAllGlobals())
}

describe('a reload before the player has joined a lobby', () => {
  it('gives the invitation again, once for each load, and again after another reload', () => {
    open(`${GAME}#join=four%20in%20a%20row`).takeInvitation()
    for (let load = 0; load < 3; load++) {
      reload()
      const client = open()
      expect([client.takeInvitation(), client.takeInvitation(), location.href]).toEqual([
        { secret: 'four in a row' },
        null,
        GAME,
      ])
    }
  })

  it('of another player, or in another tab, gives none', () => {
    open(`${GAME}#join=moon`).takeInvitation()
    reload()
    expect(open(GAME, { profile: 'bob' }).takeInvitation()).toBeNull()
    // Each tab has a storage of its own.
    sessionStorage.clear()
    expect(open().takeInvitation()).toBeNull()
  })

  it('gives the one of a link that was opened later', () => {
    open(`${GAME}#join=moon`).takeInvitation()
    reload()
    expect(open(`${GAME}#join=sun`).takeInvitation()).toEqual({ secret: 'sun' })
    reload()
    expect(open().takeInvitation()).toEqual({ secret: 'sun' })
  })

  it('gives none of an unusable record', () => {
    open(`${GAME}#join=moon`).takeInvitation()
    for (const name of Object.keys(sessionStorage)) sessionStorage.setItem(name, '0 %3Cimg%3E')
    expect(open().takeInvitation()).toBeNull()
  })
})

it('after a join nothing comes back, and after a refused one the invitation does', async () => {
  const client = open(`${GAME}#join=moon`)
  expect(client.takeInvitation()).toEqual({ secret: 'moon' })
  await expect(client.createOrJoinLobby('moon')).rejects.toMatchObject({ code: 'signed_out' })
  reload()
  const world = new CallWorld()
  const { client: player } = await openPage(world)
  onTestFinished(() => player.close())
  visit(`${GAME}#join=moon`)
  expect(player.takeInvitation()).toEqual({ secret: 'moon' })
  await player.createOrJoinLobby('another word')
  reload()
  expect(player.takeInvitation()).toBeNull()
})

it('a join that leaves the invitation of the page unread says so', async () => {
  const world = new CallWorld()
  const { client: player } = await openPage(world)
  onTestFinished(() => player.close())
  const steps: string[] = []
  player.on('log', ({ step, data }) => steps.push(`${step}: ${JSON.stringify(data['remedy'])}`))
  visit(`${GAME}#join=moon`)
  await player.createOrJoinLobby('another word')
  expect(steps.filter((text) => text.startsWith('invitation.'))).toEqual([
    expect.stringMatching(/^invitation\.untaken: .*call client\.takeInvitation\(\)/),
  ])
  player.takeInvitation()
  await player.createOrJoinLobby('moon')
  expect(steps.filter((text) => text.startsWith('invitation.'))).toHaveLength(1)
})

/** Begins a sign-in by redirect, and returns what the authorize page receives. */
async function leave(client: Client, surface = redirectSurface()): Promise<URL> {
  const sent = await new Promise<string>((resolve) => {
    const leaving = { ...surface, open: (url: string) => new Promise<string>(() => resolve(url)) }
    client.signIn({ surface: leaving }).catch(() => undefined)
  })
  return new URL(sent)
}

/** The address at which the player comes back. */
const backFrom = ({ searchParams }: URL): string =>
  `${searchParams.get('redirect_uri')}?code=abc&state=${searchParams.get('state')}&iss=${encodeURIComponent(SERVICE.host)}`

describe('a sign-in by redirect', () => {
  it('attack/210 brings an invitation back that was taken before, for this client alone, and tells the service nothing', async () => {
    const client = open(`${GAME}?level=3#join=moon`)
    client.takeInvitation()
    const sent = await leave(client)
    expect(decodeURIComponent(sent.href)).not.toContain('moon')
    expect(open(backFrom(sent), { profile: 'bob' }).takeInvitation()).toBeNull()
    const back = open()
    expect([back.takeInvitation(), back.takeInvitation(), location.href]).toEqual([
      { secret: 'moon' },
      null,
      backFrom(sent),
    ])
  })

  it.each([true, false])(
    'brings it back into the address bar when the response is handled: taken before: %s',
    async (isTaken) => {
      const client = open(`${GAME}?level=3#room=7&join=moon`)
      if (isTaken) client.takeInvitation()
      const back = open(backFrom(await leave(client)))
      await back.handleCallback().catch(() => undefined)
      expect([back.takeInvitation(), location.href]).toEqual([{ secret: 'moon' }, `${GAME}?level=3#room=7`])
    },
  )

  it('of an invitation that was taken after the return does not put it into the address bar again', async () => {
    const client = open(`${GAME}?level=3#join=moon`)
    const back = open(backFrom(await leave(client)))
    expect(back.takeInvitation()).toEqual({ secret: 'moon' })
    await back.handleCallback().catch(() => undefined)
    expect([back.takeInvitation(), location.href]).toEqual([null, `${GAME}?level=3`])
  })

  it.each([true, false])(
    'to a page of its own address brings it back there: taken before: %s',
    async (isTaken) => {
      const client = open(`${GAME}#join=moon`)
      if (isTaken) client.takeInvitation()
      const sent = await leave(client, redirectSurface({ redirectUri: '/start?from=service' }))
      const back = open(
        `https://game.test/start?from=service&code=abc&state=${sent.searchParams.get('state')}`,
      )
      await back.handleCallback().catch(() => undefined)
      expect([back.takeInvitation(), location.href]).toEqual([
        { secret: 'moon' },
        'https://game.test/start?from=service',
      ])
    },
  )

  it('from the join address returns to the game itself', async () => {
    const sent = await leave(open(`${GAME}_service/join?secret=moon`))
    expect(sent.searchParams.get('redirect_uri')).toBe(GAME)
    expect(open(backFrom(sent)).takeInvitation()).toEqual({ secret: 'moon' })
  })

  it('attack/210 keeps the invitation in its own tab, and otherwise in the record of the attempt, which has a limited life', async () => {
    const client = open(`${GAME}#join=moon`)
    client.takeInvitation()
    expect(Object.values(localStorage)).toEqual([])
    expect(Object.keys(sessionStorage)).toEqual([expect.stringMatching(/^foyer:invitation:/)])
    await leave(client)
    const [record, ...others] = Object.entries<string>(localStorage)
    expect([record?.[0].startsWith('foyer:attempt:'), record?.[1].includes('moon'), others]).toEqual([
      true,
      true,
      [],
    ])
    client.abortAuthorize()
    expect(Object.values(localStorage)).toEqual([])
  })
})

it('a client without a page has no invitation', async () => {
  const page = { document: globalThis.document, location: globalThis.location }
  for (const name of ['document', 'location']) Reflect.deleteProperty(globalThis, name)
  try {
    expect(open().takeInvitation()).toBeNull()
  } finally {
    Object.assign(globalThis, page)
  }
})
