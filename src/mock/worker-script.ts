import { fileURLToPath } from 'node:url'

/** The name under which a site serves MSW's worker script, and under which startMockApi asks for it. */
export const workerScriptName = 'mockServiceWorker.js'

/** The worker script of the MSW that is installed; a page needs the one of the MSW that it runs. */
export const workerScriptFile = (): string => fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js'))
