/** Finds the limit that refused a request, and the requests that had used it up. Pure. */
import type { LimitsView, ListedRequest } from '../control/inspector-data.js'

type UsedLimit = NonNullable<ListedRequest['limits']>[number]

export interface RefusingLimit {
  use: UsedLimit
  /** Owner of the count, such as a player. */
  counts: 'application' | 'player'
  /** Oldest first. Fewer than the limit if the page has some of them no more. */
  counted: ListedRequest[]
}

/** @returns undefined if no limit refused the request, or if the limit was removed since. */
export function findRefusingLimit(
  request: ListedRequest,
  { requests, limits }: { requests: readonly ListedRequest[]; limits: LimitsView | undefined },
): RefusingLimit | undefined {
  const use = refusingUse(request)
  const setting = use && limits?.limits[use.name]
  if (use === undefined || !setting) return undefined
  const { counts, per } = setting
  const isCounted = (other: ListedRequest) =>
    other.serial < request.serial &&
    other.at > request.at - per &&
    refusingUse(other) === undefined &&
    (other.limits ?? []).some(({ name }) => name === use.name) &&
    (counts === 'application' || other.sender?.id === request.sender?.id)
  return { use, counts, counted: requests.filter(isCounted).slice(-use.limit) }
}

/** A rule of a limit begins with its name. */
function refusingUse({ status, rule = '', limits = [] }: ListedRequest): UsedLimit | undefined {
  return status === 429 ? limits.find(({ name }) => rule.startsWith(`${name}:`)) : undefined
}
