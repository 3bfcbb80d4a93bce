import { existsSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/**
 * Watches the folders of files, because many editors save by renaming another file over them.
 * @param onChange called a moment after a file of one of these names has changed: one save causes several events
 * @returns a function that stops watching
 */
export function watchFiles(
  files: readonly string[],
  onChange: () => void,
  onError: (error: Error) => void,
): () => void {
  const names = new Set(files.map((file) => basename(file)))
  const folders = [...new Set(files.map((file) => dirname(file)))].filter((folder) => existsSync(folder))
  let timer: NodeJS.Timeout | undefined
  const watchers = folders.map((folder) =>
    watch(folder, (_, name) => {
      if (name !== null && !names.has(name)) return
      clearTimeout(timer)
      timer = setTimeout(onChange, 50)
    }).on('error', onError),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
