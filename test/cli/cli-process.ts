import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** The executable under test, as `npm test` has built it. */
export const bin =
  process.env.DASHBOARD_API_BIN ?? fileURLToPath(new URL('../../bin/dashboard-api.js', import.meta.url))

/** Long enough for every store of secrets. */
export const sessionSecret = 'a-secret-of-at-least-32-bytes-for-tests'

/** How a process ended, and what it wrote. */
export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

export type Options = { cwd?: string; env?: Record<string, string> }

/** The environment of a command: this one's, without any setting of the service. */
export function cleanEnv(extra: Record<string, string> = {}): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(DASHBOARD_API_|NODE_ENV$|NO_COLOR$|CI$)/.test(name),
  )
  return { ...Object.fromEntries(kept), ...extra }
}

/** A command that runs. */
export type Running = {
  child: ChildProcess
  /** Settles once the output so far matches. */
  until(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpMatchArray>
  ended: Promise<Ended>
}

/** Starts `dashboard-api` with these arguments, its output piped; it is ended with the test at the latest. */
export const start = (args: string[], options: Options = {}): Running =>
  startProcess(process.execPath, [bin, ...args], options)

/** Runs `dashboard-api` to its end. */
export const run = (args: string[], options: Options = {}): Promise<Ended> => start(args, options).ended

/** The same for any program. */
export function startProcess(program: string, args: string[], { cwd, env }: Options = {}): Running {
  const child = spawn(program, args, { cwd, env: cleanEnv(env), stdio: ['ignore', 'pipe', 'pipe'] })
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
      let isOver = false
      const over = ended.then(() => {
        isOver = true
      })
      for (;;) {
        const match = written[name].match(pattern)
        if (match) return match
        if (isOver) throw new Error(`${name} never matched ${pattern}:\n${written.stdout}\n${written.stderr}`)
        await Promise.race([once(child[name] as NodeJS.ReadableStream, 'data'), over])
      }
    },
  }
}

/** The address that a server with `--json` says it listens at, in its first line. */
export async function listening({ until }: Running): Promise<string> {
  const [line] = await until('stdout', /^.*\n/)
  return JSON.parse(line).url
}

/** An empty folder that is gone after the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dashboard-api-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
