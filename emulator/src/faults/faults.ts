/** The faults that requests are still going to meet, each a fixed number of times. */
import { readRules, type FaultEffect, type FaultRule } from './fault-rule.js'

export class Faults {
  #rules: Required<FaultRule>[] = []

  /** Takes the place of all earlier rules. */
  set(rules: unknown): void {
    this.#rules = readRules(rules)
  }

  /** What is still to come, with the times that are left. */
  list(): FaultRule[] {
    return structuredClone(this.#rules)
  }

  clear(): void {
    this.#rules = []
  }

  /** The effect of the first rule that matches; it has one time less afterwards. */
  take(method: string, path: string): FaultEffect | undefined {
    const rule = this.#rules.find(({ match }) => hits(match, method, path))
    if (rule === undefined) return undefined
    rule.times -= 1
    if (rule.times === 0) this.#rules = this.#rules.filter((other) => other !== rule)
    return rule.effect
  }
}

/** A browser decides when it asks for permission: only who names OPTIONS means those requests. */
function hits(match: Required<FaultRule>['match'], method: string, path: string): boolean {
  if (match.method === undefined ? method === 'OPTIONS' : match.method !== method) return false
  return match.path === undefined || pattern(match.path).test(path)
}

function pattern(path: string): RegExp {
  const parts = path.split('*').map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
