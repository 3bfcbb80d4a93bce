import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Target } from './balancer.js'

export type NodeProcess = Target & {
  readonly pid: number | undefined
  /** Resolves when the node listens for the first time. */
  started: Promise<void>
  stop(): Promise<void>
}

/** The command line of the package. */
export const executable = fileURLToPath(new URL('../../bin/dashboard-api.js', import.meta.url))

const restartMs = 2_000
/** A node finishes its requests in at most 10 s; the balancer sends none any more by then. */
const stopMs = 5_000

/**
 * Runs `dashboard-api serve` on a free port, and starts it again when it ends.
 * @param print takes a line about what happens to the node
 */
export function runNode(name: string, env: NodeJS.ProcessEnv, print: (line: string) => void): NodeProcess {
  let child: ChildProcess | undefined
  let url: string | undefined
  let isStopping = false

  const start = () =>
    new Promise<void>((resolve, reject) => {
      let errors = ''
      // In a process group of its own: Ctrl-C in a terminal signals a whole group, and the nodes are to end in order.
      const node = spawn(process.execPath, [executable, 'serve', '--port', '0', '--json'], {
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = node
      createInterface({ input: node.stdout }).on('line', (line) => {
        const { event, msg, url: address } = JSON.parse(line) as Record<string, string>
        if (event === 'listening') {
          url = address
          resolve()
        } else if (!isStopping) print(`${name}: ${msg}`)
      })
      node.stderr.on('data', (chunk) => {
        errors = `${errors}${chunk}`.slice(-2000)
      })
      node.once('exit', (code, signal) => {
        if (url === undefined) reject(new Error(`${name} did not start: ${errors}`))
        url = undefined
        child = undefined
        if (!isStopping) {
          print(`${name} ended (${signal ?? `exit code ${code}`}). It starts again in ${restartMs / 1000} s.`)
          void restart()
        }
      })
    })

  const restart = async () => {
    await wait(restartMs, undefined, { ref: false })
    if (isStopping) return
    await start().then(
      () => print(`${name} is back: process ${child?.pid}`),
      (error) => print(error.message),
    )
  }

  process.once('exit', () => child?.kill('SIGKILL'))
  return {
    name,
    get url() {
      return url
    },
    get pid() {
      return child?.pid
    },
    started: start(),
    stop: () =>
      new Promise((resolve) => {
        isStopping = true
        const running = child
        if (!running) return resolve()
        const killing = setTimeout(() => running.kill('SIGKILL'), stopMs)
        running.once('exit', () => {
          clearTimeout(killing)
          resolve()
        })
        running.kill('SIGTERM')
      }),
  }
}
