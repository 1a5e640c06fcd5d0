/// <reference types="vite/types/importMeta.d.ts" />
/**
 * Loads the SDK's lazy parts before the tests of a file that shares its module graph with others. A file that ends while a part loads
 * would leave the failed import to the next file. Electron's parts, those of a bundler and scripts of a page need another environment.
 */
const parts = import.meta.glob([
  '../../src/*/**/*.ts',
  '!**/{desktop,react,vite}/**',
  '!**/{callback-page,classic-script}.ts',
])
await Promise.all(Object.values(parts).map((load) => load()))
