/** Addresses on this machine, which no player can reach. */
const LOOPBACK = /^https?:\/\/(?:[\w-]+\.)*(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/

export const isLoopback = (address: string): boolean => LOOPBACK.test(address)
