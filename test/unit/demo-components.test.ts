// @vitest-environment happy-dom
/** Components of the demo: what was typed, revealed or opened is kept when they are drawn again. */
import { signal } from '@preact/signals'
import { createElement, render } from 'preact'
import { act } from 'preact/test-utils'
import { Secret } from 'foyer-sdk'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChosenExchange } from '../../demo/page/exchanges/chosen-exchange'
import type { Exchange } from '../../demo/page/exchanges/exchange'
import { onChange } from '../../demo/page/foundation/on-change'
import { PageAddress } from '../../demo/page/foundation/page-address'
import { Field } from 'kit/field'
import { offered } from 'kit/select-field'
import { SecretField } from '../../demo/page/ui/secret-field'

let place: HTMLElement

beforeEach(() => {
  place = document.body.appendChild(document.createElement('div'))
})
afterEach(() => {
  render(null, place)
  place.remove()
  vi.useRealTimers()
  history.replaceState(null, '', '/')
})

function exchange(id: number, failure?: string): Exchange {
  const empty = { query: [], headers: [], body: [], checks: [], startedAt: 0 }
  return { id, kind: 'request', method: 'GET', url: 'https://service.example/', failure, ...empty }
}

const scopes = signal('openid')
const Form = () =>
  createElement(Field, {
    id: 'scopes',
    label: 'Scopes',
    hint: '',
    value: scopes.value,
    onInput: (value: string) => (scopes.value = value),
  })
const input = () => {
  const found = place.querySelector('input')
  if (!found) throw new Error('no input')
  return found
}
const type = (text: string) =>
  act(() => {
    input().value = text
    input().dispatchEvent(new Event('input', { bubbles: true }))
  })

const showSecret = (secret: Secret) =>
  act(() => render(createElement(SecretField, { name: 'Access token', secret }), place))
const reveal = () => act(() => place.querySelector('button')?.click())

const openList = (fragment = '#exchange') => {
  history.replaceState(null, '', fragment)
  return new ChosenExchange(new PageAddress('player'))
}

describe('a field', () => {
  it('reports its value without the spaces around it, and keeps them and the focus while it is typed', async () => {
    await act(() => render(createElement(Form, {}), place))
    const before = input()
    before.focus()
    await type('openid identify ')
    expect(scopes.value).toBe('openid identify')
    expect(input()).toBe(before)
    expect([input().value, document.activeElement]).toEqual(['openid identify ', before])
  })

  it('shows a value that was set elsewhere', async () => {
    await act(() => render(createElement(Form, {}), place))
    await type('mine ')
    await act(() => void (scopes.value = 'openid sdk.lobbies'))
    expect(input().value).toBe('openid sdk.lobbies')
  })
})

describe('a list of choices', () => {
  const choices = [
    { value: 'closed', label: 'closed', disabled: true },
    { value: 'first', label: 'first' },
    { value: 'second', label: 'second' },
  ]
  it.each([
    ['keeps what was chosen while it is offered', choices, 'second', 'second'],
    ['has its first possible choice if that is gone', choices, 'gone', 'first'],
    ['has its first possible choice if that is closed', choices, 'closed', 'first'],
    ['has its first possible choice if there was none', choices, '', 'first'],
    ['has no choice if none is possible', choices.slice(0, 1), 'closed', ''],
  ])('%s', (...[, given, chosen, expected]) => {
    expect(offered(given, chosen)).toBe(expected)
  })
})

describe('a revealed secret', () => {
  it('is masked again after ten seconds', async () => {
    vi.useFakeTimers()
    await showSecret(new Secret('first'))
    await reveal()
    expect(place.textContent).toContain('first')
    await act(() => void vi.advanceTimersByTime(9999))
    expect(place.textContent).toContain('first')
    await act(() => void vi.advanceTimersByTime(1))
    expect(place.textContent).not.toContain('first')
  })

  it('does not reveal the next one in its place', async () => {
    await showSecret(new Secret('first'))
    await reveal()
    await showSecret(new Secret('second'))
    expect(place.textContent).not.toMatch(/first|second/)
  })
})

describe('the list of exchanges', () => {
  const listed = [exchange(1), exchange(2, 'no response'), exchange(3)]

  it('shows the last one that failed, or else the last one, until the reader chooses another', () => {
    const chosen = openList()
    expect(chosen.of(listed)?.id).toBe(2)
    expect(chosen.of([exchange(1), exchange(3)])?.id).toBe(3)
    expect(chosen.of([])).toBe(undefined)
    chosen.choose(1)
    expect([chosen.of(listed)?.id, location.hash]).toEqual([1, '#exchange?request=1'])
    expect(chosen.wanted.value).toBe(undefined)
  })

  it('shows the one that the address names, and brings it into view', () => {
    const chosen = openList('#exchange?request=3')
    expect(chosen.of(listed)?.id).toBe(3)
    expect(chosen.wanted.value).toEqual({ id: 3, hasFocus: false })
  })

  it('shows a selected one whatever the filter was, with the focus', () => {
    const chosen = openList('#exchange?filter=token&failed=only')
    chosen.focus(3)
    expect(location.hash).toBe('#exchange?request=3')
    expect([chosen.of(listed)?.id, chosen.wanted.value]).toEqual([3, { id: 3, hasFocus: true }])
  })
})

describe('a change of a signal', () => {
  it('is reported without the first value, until the listener stops', () => {
    const count = signal(1)
    const seen: number[] = []
    const stop = onChange(count, (value) => seen.push(value))
    count.value = 2
    stop()
    count.value = 3
    expect(seen).toEqual([2])
  })
})
