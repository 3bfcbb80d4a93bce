import react from '@vitejs/plugin-react'
import { dashboardApi } from 'dashboard-api/vite'
import { defineConfig, loadEnv } from 'vite'

export default defineConfig(({ mode }) => {
  const { VITE_API_URL: api } = loadEnv(mode, import.meta.dirname)
  return {
    root: import.meta.dirname,
    // Without a server to call, the plugin serves the worker script and the list of personas.
    plugins: [react(), ...(api ? [] : [dashboardApi()])],
    // The page only calls its own origin, as when deployed. The proxy brings another server to that origin, so its
    // cookie belongs to this site and CORS is not needed.
    server: {
      ...(api && { proxy: { '/v1': api, '/auth': api, '/docs': api } }),
      // In this repository dashboard-api and MSW lie above the examples.
      fs: { allow: ['../..'] },
    },
  }
})
