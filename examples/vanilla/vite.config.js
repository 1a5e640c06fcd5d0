import { foyer } from 'foyer-sdk/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [foyer()],
  // The first test waits for the emulator, which may take a while on a busy machine.
  test: { testTimeout: 60_000 },
})
