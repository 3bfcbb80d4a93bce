import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'

/** The executable under test, built by `npm test`. */
export const bin =
  process.env.DASHBOARD_API_BIN ?? fileURLToPath(new URL('../../bin/dashboard-api.js', import.meta.url))

export const sessionSecret = 'a-secret-of-at-least-32-bytes-for-tests'

/** The end of a process, and its output. */
export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

/** `user` is the id of the user and the group, if root starts the process. */
export type Options = { cwd?: string; env?: Record<string, string>; user?: number | undefined }

/** The environment of the test, without the settings of the service. */
export function cleanEnv(extra: Record<string, string> = {}): Record<string, string | undefined> {
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(DASHBOARD_API_|NODE_ENV$|NO_COLOR$|CI$)/.test(name),
  )
  return { ...Object.fromEntries(others), ...extra }
}

/** A running command. */
export type Running = {
  child: ChildProcess
  /** Resolves when the output matches. */
  until(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpMatchArray>
  ended: Promise<Ended>
}

/** Starts `dashboard-api` with its output piped, and kills it when the test ends. */
export const start = (args: string[], options: Options = {}): Running =>
  startProcess(process.execPath, [bin, ...args], options)

/**
 * Runs a command line. One process runs the command lines of a test file, in a tenth of the time. A command line that needs
 * another user or options of Node, or runs beside another one, gets a separate process.
 */
export async function run(args: string[], options: Options = {}): Promise<Ended> {
  const { user, env } = options
  if (server?.isBusy || user !== undefined || env?.NODE_OPTIONS !== undefined)
    return start(args, options).ended
  server ??= startCommandServer()
  const { ended, kill } = server.run(args, options)
  onTestFinished(kill)
  return ended
}

let server: CommandServer | undefined

type CommandServer = {
  isBusy: boolean
  run(args: string[], options: Options): { ended: Promise<Ended>; kill(): void }
}

/** Starts a process that runs command lines in sequence, and ends with this process. */
function startCommandServer(): CommandServer {
  const script = fileURLToPath(new URL('./command-server.js', import.meta.url))
  const child = fork(script, [mainModule], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  const { stdout, stderr } = child as ChildProcess & { stdout: Socket; stderr: Socket }
  for (const part of [child, child.channel, stdout, stderr]) part?.unref()
  let written = ['', '']
  let onOutput = () => {}
  for (const [i, stream] of [stdout, stderr].entries()) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      written[i] += text
      onOutput()
    })
  }
  const closed = once(child, 'close').then(([code, signal]) => {
    if (server === self) server = undefined
    return { code, signal, stdout: written[0] ?? '', stderr: written[1] ?? '' }
  })
  const self: CommandServer = {
    isBusy: false,
    run(args, { cwd = process.cwd(), env }) {
      self.isBusy = true
      written = ['', '']
      const marker = `\x1e${randomUUID()}\x1e`
      const finished = new Promise<Ended>((resolve) => {
        onOutput = () => {
          const [[out = '', code, isWhole], [err = '', isErrWhole]] = written.map((text) =>
            text.split(marker),
          ) as [string[], string[]]
          if (isWhole === undefined || isErrWhole === undefined) return
          self.isBusy = false
          resolve({ code: Number(code), signal: null, stdout: out, stderr: err })
        }
      })
      child.send({ args, cwd, env: cleanEnv(env), marker })
      // The command may exit by itself, as in a separate process.
      return {
        ended: Promise.race([finished, closed]),
        kill: () => void (self.isBusy && child.kill('SIGKILL')),
      }
    },
  }
  return self
}

/** The module that the executable imports. */
export const mainModule = new URL('../dist/executable/main.js', pathToFileURL(bin)).href

/** Like `start`, for any program. */
export function startProcess(program: string, args: string[], options: Options = {}): Running {
  const { cwd, env, user } = options
  const child = spawn(program, args, {
    cwd,
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(user !== undefined && { uid: user, gid: user }),
  })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...written }))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    ended,
    async until(name, pattern) {
      let hasEnded = false
      const end = ended.then(() => {
        hasEnded = true
      })
      for (;;) {
        const match = written[name].match(pattern)
        if (match) return match
        if (hasEnded)
          throw new Error(`${name} never matched ${pattern}:\n${written.stdout}\n${written.stderr}`)
        await Promise.race([once(child[name] as NodeJS.ReadableStream, 'data'), end])
      }
    },
  }
}

/** The URL in the first line of output of a server with `--json`. */
export async function listening({ until }: Running): Promise<string> {
  const [line] = await until('stdout', /^.*\n/)
  return JSON.parse(line).url
}

/** Creates an empty folder, which is removed after the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dashboard-api-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
