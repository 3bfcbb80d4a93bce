import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { run } from '../cli-process.js'

/** Starts a process that adds to a waitlist, and prints a line for each committed address. */
export function startWriter(file: string) {
  const script = fileURLToPath(new URL('../../store/sqlite/sqlite-process.js', import.meta.url))
  const child = spawn(process.execPath, [script, file, 'w', '100000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended, lines: createInterface(child.stdout) }
}

/** Runs `dashboard-api database`. */
export const runDatabase = (command: string, file: string, ...rest: string[]) =>
  run(['database', command, ...rest, '--database', file])
