import { foyer } from 'foyer-sdk/vite'
import { defineConfig } from 'vite'

// FOUR_ACTIVITY=1 npm run dev: the emulator frames the game as an Activity, for two players side by side.
const activityUrl = process.env.FOUR_ACTIVITY ? 'http://localhost:5173/' : undefined

export default defineConfig({
  plugins: [foyer({ emulator: activityUrl ? { activityUrl } : {} })],
  // The first test waits for the emulator, which may take a while on a busy machine.
  test: { testTimeout: 60_000 },
})
