/** Takes every screen of the demo and the emulator, in both themes and three widths: `npm run screenshots [-- names…]`. With `--docs`, the pictures of the documentation. */
import process from 'node:process'
import { runnerImport } from 'vite'

if (process.argv.includes('--docs')) {
  const { module: docs } = await runnerImport('./scripts/screenshots/docs-pictures.ts')
  console.log(`Written: ${(await docs.takeDocsPictures()).join(', ')}`)
  process.exit()
}

const { module } = await runnerImport('./scripts/screenshots/take-screenshots.ts')
const { file, pictures, faults } = await module.takeScreenshots(process.argv.slice(2))
for (const fault of faults) console.error(fault)
console.log(`${pictures} pictures, ${faults.length} with a fault. Contact sheet: ${file}`)
if (faults.length > 0) process.exitCode = 1
