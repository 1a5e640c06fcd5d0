/** Prices of products as texts. Pure. */
import { ConfigurationError } from '../foundation/errors'

/** Price as `getSkus` returns it. */
export interface Price {
  /** Amount in the smallest unit of the currency. */
  readonly amount: number
  /** Code of the currency (ISO 4217), for example `eur`. */
  readonly currency: string
}

/**
 * Returns a price as the player's language writes it. The currency decides how many digits are a fraction: 499 are € 4.99, and ¥ 499.
 *
 * @param locale for example `navigator.language`. Default: that of the system.
 * @example
 * ```ts
 * const { skus } = await host.getSkus()
 * const texts = skus.map(({ name, price }) => `${name}: ${formatPrice(price, navigator.language)}`)
 * ```
 * @throws ConfigurationError `invalid_argument` for an unknown currency or language, or an amount that is no number.
 */
export function formatPrice(price: Price, locale?: string): string {
  const { amount, currency }: Partial<Price> = { ...price }
  try {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
    const { maximumFractionDigits: digits = 0 } = format.resolvedOptions()
    if (Number.isFinite(amount)) return format.format(amount / 10 ** digits)
  } catch {}
  throw new ConfigurationError('invalid_argument', 'formatPrice', {
    remedy: "Pass the price of a SKU, and a language such as 'de'",
  })
}
