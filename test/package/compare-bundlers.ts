/** Measures the same small game as each bundler builds it: what loads with the page, and what has loaded when the player is signed in. */
import { type Bundle, bundleGame, BUNDLERS, type Bundler, type Chunk } from './bundle-game'
import { gzip, LOADED_ON_CLICK, SIGN_IN, textTable } from './measure-sizes'

export interface BundledSizes {
  readonly bundler: Bundler
  readonly atLoad: Size
  readonly untilSignedIn: Size
}

interface Size {
  /** Number of files of JavaScript. */
  readonly files: number
  /** Bytes, minified. */
  readonly bytes: number
  /** Bytes after gzip -9 of each file. */
  readonly gzip: number
}

/** `project`: folder whose `node_modules` has the SDK. */
export async function compareBundlers(project: string): Promise<readonly BundledSizes[]> {
  const sizes: BundledSizes[] = []
  for (const bundler of BUNDLERS) {
    const bundle = await bundleGame(bundler, project, SIGN_IN)
    sizes.push({ bundler, atLoad: sizeOf(bundle.atLoad), untilSignedIn: sizeOf(loadedUntilSignedIn(bundle)) })
  }
  return sizes
}

/** Files that a page has loaded when the player is signed in. */
export function loadedUntilSignedIn({ atLoad, load }: Bundle): readonly Chunk[] {
  return [...new Set([...atLoad, ...LOADED_ON_CLICK.flatMap(load)])]
}

export function sizeOf(chunks: readonly Chunk[]): Size {
  const sum = (measure: (code: string) => number) =>
    chunks.reduce((before, { code }) => before + measure(code), 0)
  return { files: chunks.length, bytes: sum((code) => Buffer.byteLength(code)), gzip: sum(gzip) }
}

const cells = ({ files, bytes, gzip: zipped }: Size): string[] => [
  String(files),
  String(bytes),
  String(zipped),
]

export function bundlerTable(sizes: readonly BundledSizes[]): string {
  const rows = sizes.map(({ bundler, atLoad, untilSignedIn }) => [
    bundler,
    ...cells(atLoad),
    ...cells(untilSignedIn),
  ])
  return textTable([
    ['app that signs in', 'at load: files', 'min B', 'gzip B', 'until signed in: files', 'min B', 'gzip B'],
    ...rows,
  ])
}
