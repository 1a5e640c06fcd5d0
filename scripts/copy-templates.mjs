/** Copies the examples into the package `create-foyer`, whose templates they are, in TypeScript and in JavaScript. */
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { FRAMEWORKS, HOSTS } from '../create-foyer/create-project.js'
import { removeTypes } from './templates/remove-types.mjs'

const SKIPPED = new Set(['node_modules', 'dist'])
const TEMPLATES = 'create-foyer/templates'

rmSync(TEMPLATES, { recursive: true, force: true })
for (const name of [...Object.keys(FRAMEWORKS), ...Object.values(HOSTS)]) {
  for (const language of ['typescript', 'javascript'])
    cpSync(`examples/${name}`, `${TEMPLATES}/${language}/${name}`, {
      recursive: true,
      filter: (path) => !SKIPPED.has(basename(path)),
    })
  await toJavaScript(`${TEMPLATES}/javascript/${name}`)
}

/** @param {string} folder */
async function toJavaScript(folder) {
  rmSync(join(folder, 'tsconfig.json'))
  const config = (await resolveConfig(join(process.cwd(), 'package.json'))) ?? {}
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    const file = name.replace(/\.ts(x?)$/, '.js$1')
    if (file !== name) {
      const code = await format(removeTypes(readFileSync(path, 'utf8'), name), { ...config, filepath: file })
      writeFileSync(path, code)
      renameSync(path, join(folder, file))
    } else if (/\.(?:html|md)$/.test(name)) {
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/\.ts(x?)\b/g, '.js$1'))
    }
  }
  removeCompiler(join(folder, 'package.json'))
}

/** @param {string} path */
function removeCompiler(path) {
  const { scripts, devDependencies, ...manifest } = JSON.parse(readFileSync(path, 'utf8'))
  const packages = Object.entries(devDependencies).filter(
    ([name]) => name !== 'typescript' && !name.startsWith('@types/'),
  )
  const plain = {
    ...manifest,
    scripts: { ...scripts, build: 'vite build' },
    devDependencies: Object.fromEntries(packages),
  }
  writeFileSync(path, `${JSON.stringify(plain, null, 2)}\n`)
}
