import { defineConfig } from 'electron-vite'

export default defineConfig({
  main: {},
  preload: {
    build: {
      // A sandboxed preload script is one CommonJS file, which loads nothing but Electron: the SDK goes into it.
      externalizeDeps: { exclude: ['foyer-sdk'] },
      rollupOptions: { output: { format: 'cjs', entryFileNames: '[name].cjs' } },
    },
  },
  renderer: {},
})
