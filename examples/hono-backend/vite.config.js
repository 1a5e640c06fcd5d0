import { foyer } from 'foyer-sdk/vite'
import { defineConfig } from 'vite'

const backend = `http://127.0.0.1:${process.env.PORT}`
export default defineConfig({
  plugins: [foyer()],
  server: { proxy: { '/api': backend, '/session': backend } },
  // The first test waits for the emulator, which may take a while on a busy machine.
  test: { testTimeout: 60_000 },
})
