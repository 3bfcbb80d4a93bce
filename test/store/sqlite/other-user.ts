import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const nobody = 65_534
const isRoot = process.getuid?.() === 0
const source = fileURLToPath(new URL('../../../src', import.meta.url))

/** The reason why no process can run to which the mode of a file forbids writing; undefined if one can. */
export const noOtherUser: string | undefined = (() => {
  if (process.platform === 'win32') return 'Windows has no such modes'
  if (!isRoot) return undefined
  try {
    const list = 'fs.readdirSync(process.argv[1])'
    execFileSync(process.execPath, ['-e', list, source], { uid: nobody, gid: nobody, stdio: 'ignore' })
    return undefined
  } catch {
    return 'another user cannot run this Node, or not read this folder'
  }
})()

/** The user of such a process, if it is not the present one: root may write to any file. */
export const otherUser: number | undefined = isRoot ? nobody : undefined

/** The title of a test that needs such a process. */
export const asOtherUser = (title: string): string =>
  noOtherUser === undefined ? title : `${title} (skipped: ${noOtherUser})`
