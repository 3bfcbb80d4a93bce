import { expect, it } from 'vitest'
import { createViteHandlers, type HandlersServer } from '../../../src/mock/handlers/vite-handlers.js'

const server: HandlersServer = { config: { server: {} }, watcher: { on: () => {} } }
const moduleGraph = {
  fileToModulesMap: new Map(),
  getModulesByFile: () => undefined,
  invalidateModule: () => {},
}

it.each([
  ['has no environments', {}, 'Vite 6 or later is needed to load handlers'],
  [
    'has an environment of another plugin, which cannot run modules',
    { environments: { dashboardApi: { moduleGraph } } },
    'the environment "dashboardApi" of Vite cannot run modules: look for a plugin that replaces it',
  ],
  [
    'has not the environment of the plugin',
    { environments: {} },
    'Vite has no environment "dashboardApi": look for a plugin that removes it',
  ],
])('a Vite that %s is not told another reason', async (_, more, message) => {
  const opened = createViteHandlers({ ...server, ...more }).open('/app/handlers.ts', () => {})
  await expect(opened).rejects.toThrow(new RegExp(`^${message}$`))
})
