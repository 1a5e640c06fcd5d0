/** A browser's part: cookies, the headers that a browser sets, and a count of requests. */
export const GAME = 'https://game.example'

export class Browser {
  requests = []
  /** All that arrived: bodies and headers. */
  received = ''
  cookies = new Map()
  #handle

  constructor(handle) {
    this.#handle = handle
  }

  /** A navigation, as after a click on a link or a redirect. */
  visit(address, headers = {}) {
    return this.#send(address, {
      headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', ...headers },
    })
  }

  /** A call of the page. */
  post(address, body = {}, headers = {}) {
    const own = {
      origin: GAME,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'cors',
    }
    return this.#send(address, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...own, ...headers },
    })
  }

  /** A `fetch` of the page, with the cookies of the game. */
  async call(address, init) {
    const headers = {
      ...Object.fromEntries(new Headers(init.headers)),
      origin: GAME,
      'sec-fetch-site': 'same-origin',
    }
    const { status, body } = await this.#send(address, { method: init.method, body: init.body, headers })
    return Response.json(body, { status })
  }

  async #send(address, { headers, ...init }) {
    const url = new URL(address, GAME).href
    this.requests.push(`${init.method ?? 'GET'} ${new URL(url).pathname}`)
    const cookie = Array.from(this.cookies, (pair) => pair.join('=')).join('; ')
    const response = await this.#handle(
      new Request(url, { redirect: 'manual', ...init, headers: { ...headers, ...(cookie && { cookie }) } }),
    )
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    const text = await response.text()
    this.received += text + JSON.stringify([...response.headers])
    return {
      status: response.status,
      location: response.headers.get('location') ?? undefined,
      body: read(text),
    }
  }

  #keep(line) {
    const [pair] = line.split(';')
    const at = pair.indexOf('=')
    const isOver = /max-age=0|expires=thu, 01 jan 1970/i.test(line) || pair.length === at + 1
    if (isOver) this.cookies.delete(pair.slice(0, at))
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

function read(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
