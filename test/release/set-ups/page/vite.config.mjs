import { dashboardApi } from 'dashboard-api/vite'
import { defineConfig } from 'vite'

/** The server behind the handlers of MSW's recipes. */
const network = {
  name: 'network',
  configureServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      if (!/^\/(v1|recipes)\//.test(request.url)) return next()
      response.setHeader('content-type', 'application/json')
      response.statusCode = /^\/v1|passed/.test(request.url) ? 200 : 404
      response.end('{"real":"the network"}')
    })
  },
}

export default defineConfig(({ mode }) => ({
  plugins: [
    dashboardApi(mode === 'vite' ? { session: 'acme-owner' } : { server: false }),
    mode === 'recipes' && network,
  ],
}))
