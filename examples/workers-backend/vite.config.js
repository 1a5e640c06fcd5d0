import { foyer } from 'foyer-sdk/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [foyer()] })
