import { indexedDbStore } from 'foyer-sdk'
import { FoyerProvider } from 'foyer-sdk/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Game } from './Game'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <FoyerProvider options={{ applicationId, service: { host }, tokenStore: indexedDbStore() }}>
      <Game />
    </FoyerProvider>
  </StrictMode>,
)
