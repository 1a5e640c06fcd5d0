/** The join address that the service opens when a player accepts an invitation: answered with the game's page. */
import type { Connect, Plugin } from 'vite'

/** @param brand name of the service in the path `/_<brand>/join`. */
export function joinPage(brand: string): Plugin {
  let base = '/'
  const answer = ({ middlewares }: { middlewares: Connect.Server }) => {
    middlewares.use((request, _, next) => {
      const [path = '', query] = (request.url ?? '').split('?')
      if (path.replace(/\/$/, '') === `${base}_${brand}/join`)
        request.url = `${base}index.html${query === undefined ? '' : `?${query}`}`
      next()
    })
  }
  return {
    name: 'foyer:join-page',
    configResolved(config) {
      base = config.base
    },
    configureServer: answer,
    configurePreviewServer: answer,
  }
}
