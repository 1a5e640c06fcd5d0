import { foyer } from 'foyer-sdk/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [foyer()],
  server: { proxy: { '/api': `http://127.0.0.1:${process.env.BACKEND_PORT ?? 8787}` } },
  // The first test waits for the emulator, which may take a while on a busy machine.
  test: { testTimeout: 60_000 },
})
