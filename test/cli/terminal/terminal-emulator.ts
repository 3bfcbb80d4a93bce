/** A control sequence, a line break, or text. An incomplete sequence does not match. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an emulator reads control characters
const tokenPattern = /^(?:\x1b\[([?\d;]*)([A-Za-z])|\r|\n|[^\x1b\r\n]+)/

/** A minimal terminal: main and alternate screen, cursor, writing and erasing lines. */
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
    // Colours, wrapping and synchronized output do not change the text on the screen.
    else if (!/^(m|\?7[hl]|\?2026[hl])$/.test(final === 'm' ? 'm' : parameters + final)) {
      throw new Error(`The emulator does not know CSI ${parameters}${final}.`)
    }
  }

  return {
    write(text: string) {
      written += text
      rest += text
      for (;;) {
        const [token, parameters, final] = tokenPattern.exec(rest) ?? []
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
    /** The lines of the screen, without trailing space. */
    lines: () => Array.from(screen.lines, (line = '') => line.trimEnd()),
    text: () => screen.lines.map((line = '') => line.trimEnd()).join('\n'),
    isAlternateScreen: () => screen !== main,
    isCursorShown: () => isCursorShown,
    /** Everything written so far. */
    written: () => written,
  }
}
