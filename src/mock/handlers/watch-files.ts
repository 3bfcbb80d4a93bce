import { unwatchFile, watchFile } from 'node:fs'

/** The interval of looking at files, in milliseconds. */
const interval = 100

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
    timer = setTimeout(onChange, 50)
  }
  for (const file of files) watchFile(file, { interval }, changed)
  return () => {
    clearTimeout(timer)
    for (const file of files) unwatchFile(file, changed)
  }
}
