/** Measures every screen of the demo and the emulator: `npm run looks [-- --engine NAME] [names…]`. */
// In three engines, both themes, three widths and with a font twice as large.
// Ends with a table, and with exit code 1 if there is a fault.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values, positionals } = parseArgs({ options: { engine: { type: 'string' } }, allowPositionals: true })
const { module } = await runnerImport('./scripts/looks/measure-all.ts')
const faults = await module.measureAll({ engine: values.engine, names: positionals })
process.exit(faults === 0 ? 0 : 1)
