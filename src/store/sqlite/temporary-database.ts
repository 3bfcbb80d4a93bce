import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
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

/** After this time a run counts as interrupted, in milliseconds. */
const maxRunMs = 24 * 3_600_000

/**
 * Removes the temporary databases of runs that no signal could tell to end, such as by a power failure.
 * @param isTarget tells by the name of the file that was to be made whose copies are removed
 */
export async function removeLeftovers(folder: string, isTarget: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, target] = /^\.(.+)\.[\da-f-]{36}\.tmp(?:-wal|-shm|-journal)?$/.exec(name) ?? []
    if (target === undefined || !isTarget(target)) continue
    const file = join(folder, name)
    const { mtimeMs = Date.now() } = await stat(file).catch(() => ({ mtimeMs: undefined }))
    if (Date.now() - mtimeMs > maxRunMs) await rm(file, { force: true })
  }
}
