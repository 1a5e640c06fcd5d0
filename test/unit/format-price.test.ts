/** Prices as a page shows them: the currency decides how many digits are a fraction. */
import { formatPrice } from 'foyer-sdk'
import { expect, it } from 'vitest'

const plain = (text: string) => text.replaceAll(/\s/g, ' ')

it.each([
  [499, 'eur', 'de-DE', '4,99 €'],
  [499, 'eur', 'en-IE', '€4.99'],
  [499, 'USD', 'en-US', '$4.99'],
  [499, 'jpy', 'ja-JP', '￥499'],
  [1500, 'kwd', 'en-US', 'KWD 1.500'],
  [0, 'eur', 'en-IE', '€0.00'],
])('%i %s in %s is %s', (amount, currency, locale, text) => {
  expect(plain(formatPrice({ amount, currency }, locale))).toBe(text)
})

it.each([
  [{ amount: 499, currency: 'euro' }, 'de'],
  [{ amount: 499, currency: '' }, 'de'],
  [{ amount: Number.NaN, currency: 'eur' }, 'de'],
  [{ amount: '499', currency: 'eur' }, 'de'],
  [{ amount: 499, currency: 'eur' }, 'no such language'],
  [undefined, undefined],
])('%j in %s is refused', (price, locale) => {
  expect(() => formatPrice(Object(price), locale)).toThrow(
    expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining('SKU') }),
  )
})
