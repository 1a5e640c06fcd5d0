/** Decisions of the demo's lobby, limits and service screens. */
import { ConfigurationError } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import { blamedField } from '../../demo/page/game/blamed-field'
import { type Gauge, inOrder } from '../../demo/page/limits/limits-meter'
import { describeBurst } from '../../demo/page/limits/service-limits'
import { offered } from '../../demo/page/ui/select-field'

describe('a list of choices', () => {
  const choices = [
    { value: 'closed', label: 'closed', disabled: true },
    { value: 'first', label: 'first' },
    { value: 'second', label: 'second' },
  ]

  it('keeps what was chosen while it is offered', () => {
    expect(offered(choices, 'second')).toBe('second')
  })

  it.each(['gone', 'closed', ''])('has its first possible choice in place of "%s"', (chosen) => {
    expect(offered(choices, chosen)).toBe('first')
  })

  it('has no choice if none is possible', () => {
    expect(offered(choices.slice(0, 1), 'closed')).toBe('')
  })
})

const about = (field: string) => new ConfigurationError('insecure_endpoint', `service.${field}`)

describe('an error in the service settings', () => {
  it('is shown at the field that was typed in', () => {
    expect(blamedField(about('tokenUrl'), { kind: 'custom', tokenUrl: 'http://service.example' })).toBe('tokenUrl')
    expect(blamedField(new ConfigurationError('missing_application_id'), { kind: 'custom', host: 'https://a.example' })).toBeUndefined()
  })

  it('is shown at the address that the faulty one is derived from', () => {
    const host = 'http://service.example'
    expect(blamedField(about('authorizeUrl'), { kind: 'custom', host })).toBe('host')
    expect(blamedField(about('tokenUrl'), { kind: 'custom', host, baseUrl: 'http://api.example' })).toBe('baseUrl')
    expect(blamedField(about('authorizeUrl'), { kind: 'custom', host, baseUrl: 'http://api.example' })).toBe('host')
  })
})

const gauge = (bucket: string, slot: number) => ({ id: `${bucket} ${slot}`, slot }) as Gauge

it('the limits are sorted by player, then by name', () => {
  const gauges = [gauge('send_message', 0), gauge('global', 1), gauge('global', 0)]
  expect(inOrder(gauges).map(({ id }) => id)).toEqual(['global 0', 'send_message 0', 'global 1'])
})

describe('the result of a burst', () => {
  const result = { succeeded: 50, refused: 10, failed: 0, ms: 1234 }

  it('says what a refusal costs without the SDK, and who causes one with it', () => {
    expect(describeBurst(result, { plain: true })).toMatch(
      /^50 succeeded, 10 were refused with 429\. It took 1\.2 s\. .*block of the address/,
    )
    expect(describeBurst(result, { plain: false })).toContain('Something else used the same limits.')
  })

  it('ends with the time if nothing was refused', () => {
    expect(describeBurst({ ...result, refused: 0 }, { plain: true })).toMatch(/It took 1\.2 s\.$/)
  })
})
