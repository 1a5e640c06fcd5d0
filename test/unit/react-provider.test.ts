/** Mistakes with the properties of `FoyerProvider` are errors that say what to do. In the server's renderer, which needs no page. */
import { createElement, type ReactNode, useState } from 'react'
import { renderToString } from 'react-dom/server'
import { Client, type ClientOptions, ConfigurationError, memoryStore } from 'foyer-sdk'
import { FoyerProvider, useClient } from 'foyer-sdk/react'
import { describe, expect, it, onTestFinished } from 'vitest'

const OPTIONS: ClientOptions = {
  applicationId: '1287654321098765433',
  service: { host: 'https://service.example' },
}

const Shown = (): ReactNode => useClient().applicationId

/** Renders a provider twice, as a parent does that renders again. */
function renderBoth(first: object, second: object): string {
  const Provider: (props: never) => ReactNode = FoyerProvider
  function Twice(): ReactNode {
    const [isAgain, setAgain] = useState(false)
    if (!isAgain) setAgain(true)
    const props = { ...(isAgain ? second : first), children: createElement(Shown) }
    return Provider(props as never)
  }
  return renderToString(createElement(Twice))
}

const render = (props: object): string => renderBoth(props, props)

function errorOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

function newClient(): Client {
  const client = new Client(OPTIONS)
  onTestFinished(() => client.close())
  return client
}

/** As a component writes them. */
const again = () => ({
  options: {
    ...OPTIONS,
    service: { ...OPTIONS.service },
    tokenStore: memoryStore(),
    logger: () => undefined,
  },
})

describe('FoyerProvider', () => {
  it.each<[how: string, props: () => object, remedy: string]>([
    [
      'without options and client',
      () => ({}),
      'Give options={{ applicationId, service }}, or client={client}',
    ],
    ['with a client that is not there yet', () => ({ client: null }), 'Give options={{'],
    ['with options that are not there yet', () => ({ options: undefined }), 'Give options={{'],
    ['with both', () => ({ client: newClient(), options: OPTIONS }), 'Give either client or options'],
  ])('%s says what to give', (_, props, remedy) => {
    const error = errorOf(() => render(props()))
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining(remedy) })
  })

  it.each<[name: string, change: object]>([
    ['profile', { profile: 'bruno' }],
    ['applicationId', { applicationId: '1287654321098765434' }],
    ['backendSession', { backendSession: '/session' }],
    ['requestTimeout', { requestTimeout: 5000 }],
    ['service.host', { service: { host: 'https://other.example' } }],
  ])('with another %s in the next render says to change the key', (name, change) => {
    const error = errorOf(() => renderBoth({ options: OPTIONS }, { options: { ...OPTIONS, ...change } }))
    expect(error).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(
        new RegExp(`options ${name}\\..*a key that changes with them`.replace('service.', 'service\\.'), 's'),
      ),
    })
  })

  it('takes new objects with the same values in each render', () => {
    expect(renderBoth(again(), again())).toBe('1287654321098765433')
  })

  it('takes another client of the game in the next render', () => {
    expect(renderBoth({ client: newClient() }, { client: newClient() })).toBe('1287654321098765433')
  })
})
