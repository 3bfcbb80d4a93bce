import react from '@vitejs/plugin-react'
import { dashboardApi } from 'dashboard-api/vite'
import { defineConfig, loadEnv } from 'vite'

export default defineConfig(({ mode }) => {
  const { VITE_API_URL: api } = loadEnv(mode, import.meta.dirname)
  return {
    root: import.meta.dirname,
    // Without a server to talk to, the plugin serves the worker script and the choice of personas.
    plugins: [react(), ...(api ? [] : [dashboardApi()])],
    // The page only ever calls its own origin, as it does once deployed. A server elsewhere is brought there,
    // so that its cookie is this site's cookie and no CORS is needed.
    server: api ? { proxy: { '/v1': api, '/auth': api, '/docs': api } } : {},
  }
})
