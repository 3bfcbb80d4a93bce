import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs a part of a drill with a temporary folder, and removes the folder afterwards.
 * @template T
 * @param {(made: { folder: string, onEnd(end: () => unknown): void }) => Promise<T>} use receives `folder`, and `onEnd`, which
 *   registers a function to call afterwards; the last one is called first
 */
export async function withFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'dashboard-drill-'))
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o755)
  const ends = []
  try {
    return await use({ folder, onEnd: (end) => void ends.unshift(end) })
  } finally {
    for (const end of ends) await end()
    rmSync(folder, { recursive: true, force: true })
  }
}
