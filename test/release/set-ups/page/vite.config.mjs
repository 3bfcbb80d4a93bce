import { dashboardApi } from 'dashboard-api/vite'
import { defineConfig } from 'vite'

export default defineConfig(({ mode }) => ({
  plugins: [dashboardApi(mode === 'page' ? { server: false } : { session: 'acme-owner' })],
}))
