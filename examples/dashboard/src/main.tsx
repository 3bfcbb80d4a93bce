import { createClient } from 'dashboard-api/client'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App, type AppProps } from './app'
import './styles.css'

let devTools: AppProps['devTools']

// Without a server to call, the mock runs in this page. A production build removes this block, and with it every byte
// of the mock.
if (import.meta.env.DEV && !import.meta.env.VITE_API_URL) {
  const { startMockApi } = await import('dashboard-api/browser')
  const { mockPanel } = await import('dashboard-api/panel')
  const { handlers } = await import('./mocks/handlers')
  const mock = await startMockApi({ handlers, persist: true, quiet: true })
  devTools = (refresh) => mockPanel(mock, { onChange: refresh })
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root".')
createRoot(root).render(
  <StrictMode>
    <App client={createClient()} devTools={devTools} />
  </StrictMode>,
)
