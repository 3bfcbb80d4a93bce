import { emptyFolder } from '../cli-process.js'
import { onTerminal } from './on-terminal.js'

/** Starts `dev` on a terminal and waits for its first screen. `sendRequest` sends a request to it as session=active. */
export async function startDev(options: Parameters<typeof onTerminal>[1] = {}, ...args: string[]) {
  const cwd = options.cwd ?? emptyFolder()
  const view = onTerminal(['dev', '--port', '0', ...args], { ...options, cwd })
  const [, url = ''] = await view.until(/mock at (http:\/\/localhost:\d+)$/m)
  await view.until(/q quit/)
  return { view, url, cwd, sendRequest: (init?: RequestInit) => fetchProjects(url, init) }
}

export const fetchProjects = (url: string, init: RequestInit = {}) =>
  fetch(`${url}/v1/projects`, {
    ...init,
    headers: { cookie: 'session=active', 'content-type': 'application/json' },
  })

export const post = { method: 'POST', body: '{"name":"New"}' }
