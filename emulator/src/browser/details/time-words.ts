/** Distances of time in words. */

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** An hour less a second is one hour. @param at epoch seconds. @param now epoch milliseconds of the emulator's clock. */
export function expiryWords(at: number, now: number): string {
  const seconds = Math.round(at - now / 1000)
  const distance = Math.abs(seconds)
  const [unit, length] = UNITS.find(([, each]) => distance >= 0.99 * each) ?? UNITS[3]
  const count = Math.round(distance / length)
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`
  return seconds > 0 ? `expires in ${words}` : `expired ${words} ago`
}
