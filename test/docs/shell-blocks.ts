import { readFileSync } from 'node:fs'

/** The commands of a fenced block of a page, and the lines of output that the page shows below them. */
export type ShellBlock = {
  /** The line of the page where the block begins. */
  line: number
  heading: string
  commands: string
  /** `…` matches any text. */
  shown: string[]
}

/**
 * The fenced `sh` blocks of a page, each with the `text` block that follows it.
 * @throws if the page shows output without a command before it
 */
export function shellBlocksOf(page: string): ShellBlock[] {
  const blocks: ShellBlock[] = []
  const lines = readFileSync(page, 'utf8').split('\n')
  let heading = ''
  let followsCommands = false
  for (let i = 0; i < lines.length; i += 1) {
    const [, indent, language] = /^( *)```(\w*)$/.exec(lines[i] ?? '') ?? []
    heading = /^#+ (.*)$/.exec(lines[i] ?? '')?.[1] ?? heading
    if (indent === undefined) continue
    const end = lines.indexOf(`${indent}\`\`\``, i + 1)
    const content = lines.slice(i + 1, end).map((line) => line.slice(indent.length))
    const last = blocks.at(-1)
    if (language === 'sh') {
      blocks.push({ line: i + 1, heading, commands: content.join('\n'), shown: [] })
    } else if (language === 'text' && followsCommands && last) {
      last.shown = content
    } else if (language === 'text') {
      throw new Error(`${page}:${i + 1} shows the output of no command`)
    }
    followsCommands = language === 'sh'
    i = end
  }
  return blocks
}

/** The shown lines that are missing in the output, in this order. */
export function missingLines(shown: readonly string[], output: string): string[] {
  const lines = output.split(/\r?\n/)
  let next = 0
  return shown.filter((line) => {
    const pattern = new RegExp(`^${line.split('…').map(escaped).join('.*')}$`)
    const found = lines.findIndex((each, i) => i >= next && pattern.test(each))
    if (found >= 0) next = found + 1
    return found < 0
  })
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
