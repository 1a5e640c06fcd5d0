/** Creates the three tarballs to publish, with the API reference and their registry pages: `npm run release`, after a build. Publishes nothing. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { packedPage, registryManifest } from './release/registry-page.mjs'
import { REPOSITORY } from './release/repository.mjs'

const [target = '.cache/release'] = process.argv.slice(2)
rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
execFileSync(process.execPath, ['node_modules/typedoc/bin/typedoc', '--logLevel', 'Error'], {
  stdio: 'inherit',
})
// With the pages of the reference, which are written now.
execFileSync(process.execPath, ['scripts/list-pages.mjs'], { stdio: 'inherit' })
for (const folder of ['.', 'emulator', 'create-foyer']) release(folder)
for (const name of readdirSync(target)) console.log(`npm publish ${join(target, name)}`)

/**
 * Packs a package, changes its README and package.json, and packs it again.
 *
 * @param {string} folder
 */
function release(folder) {
  const work = mkdtempSync(join(resolve(target), 'work-'))
  try {
    const first = pack(folder, work)
    execFileSync('tar', ['-xzf', first], { cwd: work })
    const source = join(work, 'package')
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll('\\', '/'),
    )
    for (const page of files.filter((name) => name.endsWith('.md')))
      rewrite(join(source, page), (text) => packedPage(text, { page, repository: REPOSITORY, folder, files }))
    rewrite(join(source, 'package.json'), (text) => {
      const manifest = registryManifest(JSON.parse(text), { repository: REPOSITORY, folder })
      return `${JSON.stringify(manifest, null, 2)}\n`
    })
    pack(source, target)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * @param {string} folder
 * @param {string} into
 */
function pack(folder, into) {
  const options = ['pack', '--ignore-scripts', '--silent', '--pack-destination', resolve(into)]
  return join(
    resolve(into),
    execFileSync('npm', options, {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    }).trim(),
  )
}

/**
 * @param {string} path
 * @param {(text: string) => string} change
 */
function rewrite(path, change) {
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}
