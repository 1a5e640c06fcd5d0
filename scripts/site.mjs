/** Builds the manual as a site into `site/dist`, with its reference: `npm run site [-- --serve]`. */
// `FOYER_SITE_BASE` is the path on the server, `/` by default. `--serve` shows the result with its headers, until Ctrl-C.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({ options: { serve: { type: 'boolean' } } })
const base = process.env['FOYER_SITE_BASE'] ?? '/'
const { module } = await runnerImport('./site/build-site.ts')
const { folder, policy } = module.buildSite(base)
console.log(`The manual is in ${folder}.`)
if (values.serve) {
  const { module: server } = await runnerImport('./site/serve-site.ts')
  const { url } = await server.serveSite({ folder, policy, base, port: 4330 })
  console.log(`Open ${url}`)
}
