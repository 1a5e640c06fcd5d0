/** npm registry on this machine: the packages of this repository as they would be published; all else comes from the real registry. */
import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { readdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './packed-package'
import { listen } from './loopback'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const WORKSPACES = ['.', 'emulator', 'create-foyer']
const UPSTREAM = run('npm', ['config', 'get', 'registry', '--silent'], ROOT).trim().replace(/\/?$/, '/')

export interface PackageRegistry {
  url: string
  close: () => Promise<void>
}

interface Published {
  manifest: { name: string; version: string }
  tarball: Buffer
}

function publish(): Map<string, Published> {
  const home = mkdtempSync(join(tmpdir(), 'foyer-registry-'))
  try {
    for (const each of WORKSPACES)
      run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', home], join(ROOT, each))
    const packed = readdirSync(home).map((file): Published => {
      const manifest = JSON.parse(
        run('tar', ['-xzOf', join(home, file), 'package/package.json'], home),
      ) as Published['manifest']
      return { manifest, tarball: readFileSync(join(home, file)) }
    })
    return new Map(packed.map((each) => [each.manifest.name, each]))
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

export async function startRegistry(): Promise<PackageRegistry> {
  const published = publish()
  let url = ''
  const server = createServer((request, response) => {
    const [name = '', file] = decodeURIComponent(request.url ?? '/')
      .slice(1)
      .split('/-/')
    const own = published.get(name)
    if (!own) return response.writeHead(307, { location: UPSTREAM + (request.url ?? '/').slice(1) }).end()
    if (file !== undefined) return response.end(own.tarball)
    const { version } = own.manifest
    const integrity = `sha512-${createHash('sha512').update(own.tarball).digest('base64')}`
    const versions = {
      [version]: { ...own.manifest, dist: { tarball: `${url}${name}/-/${name}-${version}.tgz`, integrity } },
    }
    return response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  })
  const { port, close } = await listen(server)
  url = `http://127.0.0.1:${port}/`
  return { url, close }
}
