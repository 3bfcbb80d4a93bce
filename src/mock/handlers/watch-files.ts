import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

/** The interval of looking at files, in milliseconds. */
const interval = 100

/** How long an editor may take to save, in milliseconds. */
const saveMs = 50

/**
 * Watches files by polling. System events end when a folder is replaced, as by another branch, and are missing for mounted
 * folders and links.
 * @param onChange called after a file has changed, appeared or disappeared
 * @returns a function that stops watching
 */
export function watchFiles(files: readonly string[], onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const changed = () => {
    clearTimeout(timer)
    timer = setTimeout(onChange, saveMs)
  }
  for (const file of files) watchFile(file, { interval }, changed)
  return () => {
    clearTimeout(timer)
    for (const file of files) unwatchFile(file, changed)
  }
}

/** The text of a watched file; undefined if it is gone. Of a file that cannot be read it is empty, as while it is saved. */
export async function readWatched(file: string): Promise<string | undefined> {
  const read = () => readFile(file, 'utf8').catch(({ code }) => (code === 'ENOENT' ? undefined : ''))
  const text = await read()
  if (text !== undefined) return text
  // Some editors save by removing the file first.
  await pause(saveMs)
  return read()
}

export const goneError = (name: string): Error =>
  new Error(`${name} is gone; it is loaded again when it is back`)
