import { foyer } from 'foyer-sdk/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [foyer()], server: { proxy: { '/api': `http://127.0.0.1:${process.env.PORT}` } } })
