import { Worker } from 'node:worker_threads'

/**
 * Runs a module of this folder in a thread of its own, so that what else this process does does not delay it.
 * @param data is its `workerData`
 * @returns `stop()`, which tells it to end, and resolves with what it posts then
 */
export function startThread(file, data) {
  const worker = new Worker(new URL(file, import.meta.url), { workerData: data })
  const done = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  // It is awaited by `stop`, which may come later.
  done.catch(() => {})
  return {
    stop() {
      worker.postMessage('stop')
      return done
    },
  }
}
