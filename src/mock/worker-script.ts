import { fileURLToPath } from 'node:url'

/** The file name of MSW's worker script, which startMockApi requests. */
export const workerScriptName = 'mockServiceWorker.js'

/** The path of the installed MSW's worker script. A page needs the script of its version. */
export const workerScriptFile = (): string => fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js'))
