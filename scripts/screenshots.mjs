/** Takes every screen of the demo and the emulator, in both themes and three widths: `npm run screenshots [-- names…]`. With `--sheet`, in four widths and on sheets of two screens. With `--docs`, the pictures of the documentation. */
import process from 'node:process'
import { runnerImport } from 'vite'

if (process.argv.includes('--docs')) {
  const { module: docs } = await runnerImport('./scripts/screenshots/docs-pictures.ts')
  console.log(`Written: ${(await docs.takeDocsPictures()).join(', ')}`)
  process.exit()
}

const { module } = await runnerImport('./scripts/screenshots/take-screenshots.ts')
const names = process.argv.slice(2).filter((name) => name !== '--sheet')
const isSheet = process.argv.includes('--sheet')
const { file, pictures, sheets, faults } = await module.takeScreenshots(names, { isSheet })
for (const fault of faults) console.error(fault)
console.log(`${pictures} pictures, ${faults.length} with a fault. Contact sheet: ${file}`)
if (isSheet) console.log(`Sheets: ${sheets.join(', ')}`)
if (faults.length > 0) process.exitCode = 1
