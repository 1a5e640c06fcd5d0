/** Gives the state of the page to its components. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { DemoContext } from './demo-context'

const Shared = createContext<DemoContext | undefined>(undefined)

/** Provides the state to the components inside it. */
export const DemoProvider = Shared.Provider

/** Returns the state of the page. @throws Error outside of a `DemoProvider`. */
export function useDemo(): DemoContext {
  const context = useContext(Shared)
  if (!context) throw new Error('The component is outside of a DemoProvider.')
  return context
}
