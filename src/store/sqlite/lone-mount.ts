import { readFile } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { DatabaseRefusedError } from '../database-refused.js'

export class LoneMountError extends DatabaseRefusedError {}

/**
 * Refuses a file that is mounted into a container without its folder: its log would be lost with the container.
 * @param file without links
 */
export async function refuseLoneMount(file: string): Promise<void> {
  const mounts = (await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')).trim().split('\n')
  // Spaces and some other characters are written as three octal digits.
  const places = mounts.map((line) =>
    (line.split(' ')[4] ?? '').replace(/\\(\d{3})/g, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 8)),
    ),
  )
  // A later mount over a folder hides what was mounted below it.
  const place = places.findLast((each) => file === each || file.startsWith(each.replace(/\/?$/, sep)))
  if (place !== file || places.includes(`${file}-wal`)) return
  throw new LoneMountError(
    file,
    `it is mounted without its folder, so that its log ${file}-wal would be on another disk, and be lost with it`,
    `Mount the folder that has the file at ${dirname(file)}, not the file alone.`,
  )
}
