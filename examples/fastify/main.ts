import { dashboardApi, openStore } from 'dashboard-api/server'
import fastify, { type FastifyInstance } from 'fastify'

/** An application with a route of its own, and the dashboard API below `/api`. */
export async function createApplication(database: string, sessionSecret: string): Promise<FastifyInstance> {
  const app = fastify()
  const store = await openStore(database)
  app.addHook('onClose', () => store.close())
  app.get('/hello', async () => ({ hello: 'world' }))
  await app.register(dashboardApi, { store, sessions: { sessionSecret }, prefix: '/api' })
  return app
}
