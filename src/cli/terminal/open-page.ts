import { spawn } from 'node:child_process'
import { Failure } from '../user-error.js'

/** The command that opens a URL in the browser, by platform. */
const openers: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  // `start` takes a first quoted argument for a title.
  win32: ['cmd', '/c', 'start', '""'],
}

/** Opens a URL in the user's browser, and reports it. @throws Failure if that fails */
export function openPage(url: string): Promise<string> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Failure(`No browser could be opened; open ${url} yourself.`))
    const succeed = () => resolve('Opened the page in the browser.')
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    child.on('error', fail).on('exit', (code) => (code === 0 ? succeed() : fail()))
    child.unref()
  })
}
