/** Groups elements without an element around them: the served build of Preact has no `Fragment` of its own. */
import type { ComponentChildren } from './preact.js'

export function Fragment({ children }: { children?: ComponentChildren }): ComponentChildren {
  return children
}
