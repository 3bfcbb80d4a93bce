import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The temporary databases of this process. */
const unfinished = new Set<string>()
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Names a temporary database beside a file. A signal that ends the process removes it before: it has addresses and
 * sessions, and nobody would look for it.
 * @returns its path, and what removes it with the files that SQLite has beside it
 */
export function temporaryDatabase(target: string): { file: string; remove(): void } {
  const file = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`)
  if (unfinished.size === 0) for (const signal of signals) process.on(signal, onSignal)
  unfinished.add(file)
  return { file, remove: () => remove(file) }
}

function remove(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true })
  unfinished.delete(file)
  if (unfinished.size === 0) for (const signal of signals) process.off(signal, onSignal)
}

function onSignal(signal: NodeJS.Signals): void {
  // Somebody else ends the process in an orderly way.
  if (process.listenerCount(signal) > 1) return
  for (const file of unfinished) remove(file)
  process.kill(process.pid, signal)
}
