/** Loads a component with its module when it is first wanted. */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

type Loaded<Props> = { readonly Component: ComponentType<Props> } | 'failed' | undefined

/** Returns undefined while it loads. After a failure it is loaded again the next time that it is wanted. */
export function useLoaded<Props>(isWanted: boolean, load: () => Promise<ComponentType<Props>>): Loaded<Props> {
  const [loaded, setLoaded] = useState<Loaded<Props>>()
  useEffect(() => {
    if (!isWanted || typeof loaded === 'object') return
    load().then(
      (Component) => setLoaded({ Component }),
      () => setLoaded('failed'),
    )
  }, [isWanted])
  return loaded
}
