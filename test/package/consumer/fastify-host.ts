// A Fastify application with the plugin, as docs/operations.md has it. It compiles only if both have one copy of Fastify.
import { dashboardApi, openStore } from 'dashboard-api/server'
import fastify from 'fastify'

const app = fastify()
const store = await openStore('data.db')
app.addHook('onClose', () => store.close())
app.addHook('onResponse', async ({ dashboardSession, dashboardProjectId }, { dashboardErrorCode }) => {
  const code: string | undefined = dashboardErrorCode
  console.log(dashboardSession?.user.email, dashboardProjectId, code)
})
await app.register(dashboardApi, { store, sessions: { sessionSecret: 'x'.repeat(32) }, prefix: '/api' })
