/** Prints the download sizes: `npm run size`, after a build. With `--record`, keeps those of the modules, for the next comparison. */
import { runnerImport } from 'vite'

const { module: packing } = await runnerImport('test/support/packed-package.ts')
const { module: measuring } = await runnerImport('test/package/measure-sizes.ts')
const { module: bundlers } = await runnerImport('test/package/compare-bundlers.ts')
const { module: features } = await runnerImport('test/package/feature-costs.ts')
const { module: modules } = await runnerImport('test/package/module-costs.ts')
const packed = packing.pack('.')
try {
  const measures = [...(await measuring.measure(packed)), await measuring.measureValidator(packed)]
  console.log(measuring.table(measures))
  console.log(`\n${bundlers.bundlerTable(await bundlers.compareBundlers(packed.project))}`)
  console.log(`\n${features.featureTable(await features.featureCosts(packed.project))}`)
  const costs = await modules.moduleCosts()
  console.log(`\n${modules.moduleTable(costs)}`)
  if (process.argv.includes('--record')) modules.recordCosts(costs)
  console.log(`\n${modules.growthTable(costs)}`)
  if (measures.some(({ gzip, budget }) => gzip > budget)) process.exitCode = 1
} finally {
  packed[Symbol.dispose]()
}
