/** Pending faults, each for a fixed number of requests. */
import { readRules, type FaultEffect, type FaultRule, type ReadRule } from './fault-rule.js'

export class Faults {
  #rules: ReadRule[] = []

  /** Replaces all earlier rules. */
  set(rules: unknown): void {
    this.#rules = readRules(rules)
  }

  /** Pending rules with their remaining counts. */
  list(): FaultRule[] {
    return structuredClone(this.#rules)
  }

  clear(): void {
    this.#rules = []
  }

  /** Returns the effect of the first matching rule, and decrements its count. */
  take(method: string, path: string): FaultEffect | undefined {
    const rule = this.#rules.find(({ match }) => hits(match, method, path))
    if (rule === undefined) return undefined
    rule.times -= 1
    if (rule.times === 0) this.#rules = this.#rules.filter((other) => other !== rule)
    return rule.effect
  }
}

/** Browsers decide when to send a preflight, so only rules that name OPTIONS match one. */
function hits(match: ReadRule['match'], method: string, path: string): boolean {
  if (match.method === undefined ? method === 'OPTIONS' : match.method !== method) return false
  return match.path === undefined || pattern(match.path).test(path)
}

function pattern(path: string): RegExp {
  const parts = path.split('*').map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
