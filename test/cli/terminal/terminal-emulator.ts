/** A control sequence, a line's end, or text; nothing where a sequence has not come whole. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it reads
const next = /^(?:\x1b\[([?\d;]*)([A-Za-z])|\r|\n|[^\x1b\r\n]+)/

/** A terminal as far as a test needs one: two screens, the cursor, and lines that are written and erased. */
export function createEmulator(rows: number, columns: number) {
  let size = { rows, columns }
  const main = blank()
  let screen = main
  let isCursorShown = true
  let written = ''
  let rest = ''

  function blank() {
    return { lines: [] as string[], row: 0, column: 0 }
  }

  const put = (text: string) => {
    for (const letter of text) {
      const line = [...(screen.lines[screen.row] ?? '').padEnd(screen.column)]
      line[screen.column] = letter
      screen.lines[screen.row] = line.join('')
      screen.column = Math.min(screen.column + 1, size.columns - 1)
    }
  }

  const control = (parameters: string, final: string) => {
    const [first = 1, second = 1] = parameters.split(';').map((each) => Number(each) || 1)
    if (final === 'H') Object.assign(screen, { row: first - 1, column: second - 1 })
    else if (final === 'K') screen.lines[screen.row] = ''
    else if (final === 'J') screen.lines = []
    else if (parameters === '?25') isCursorShown = final === 'h'
    else if (parameters === '?1049') screen = final === 'h' ? blank() : main
    // Colours, wrapping and synchronised output do not change what is where.
    else if (!/^(m|\?7[hl]|\?2026[hl])$/.test(final === 'm' ? 'm' : parameters + final)) {
      throw new Error(`The emulator does not know CSI ${parameters}${final}.`)
    }
  }

  return {
    write(text: string) {
      written += text
      rest += text
      for (;;) {
        const [token, parameters, final] = next.exec(rest) ?? []
        if (token === undefined) return
        rest = rest.slice(token.length)
        if (final !== undefined) control(parameters ?? '', final)
        else if (token === '\r') screen.column = 0
        else if (token === '\n') screen.row += 1
        else put(token)
      }
    },
    resize(newRows: number, newColumns: number) {
      size = { rows: newRows, columns: newColumns }
    },
    /** The lines that are shown, without the space at their ends. */
    lines: () => Array.from(screen.lines, (line = '') => line.trimEnd()),
    text: () => screen.lines.map((line = '') => line.trimEnd()).join('\n'),
    isSecondScreen: () => screen !== main,
    isCursorShown: () => isCursorShown,
    /** All that was written so far. */
    written: () => written,
  }
}
