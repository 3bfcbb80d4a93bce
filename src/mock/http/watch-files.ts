import { unwatchFile, watchFile } from 'node:fs'

/** How often files are looked at, in milliseconds. */
const interval = 100

/**
 * Watches files by looking at them. The events of the system end where a folder is replaced, as by another branch, and do
 * not arrive from mounted folders and behind links.
 * @param onChange called a moment after a file has changed, was made or was removed
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
