/** Prints what a game downloads: `npm run size`, after a build. */
import { runnerImport } from 'vite'

const { module: packing } = await runnerImport('test/support/packed.ts')
const { module: measuring } = await runnerImport('test/package/measure.ts')
const packed = packing.pack('.')
try {
  const measures = [...(await measuring.measure(packed)), await measuring.measureValidator(packed)]
  console.log(measuring.table(measures))
  if (measures.some(({ gzip, budget }) => gzip > budget)) process.exitCode = 1
} finally {
  packed[Symbol.dispose]()
}
