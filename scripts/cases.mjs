/** Writes the files of test cases with one case a line: a part of `npm run format`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onePerLine } from './cases/one-per-line.mjs'

const FOLDER = 'test/cases/data'

for (const name of readdirSync(FOLDER)) {
  const path = join(FOLDER, name)
  writeFileSync(path, onePerLine(readFileSync(path, 'utf8')))
}
