/**
 * Breaks text into lines, at spaces where possible.
 * @param width in columns
 */
export const wrapText = (text: string, width: number): string[] =>
  text.split('\n').flatMap((line) => wrapLine(line, Math.max(2, width)))

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = []
  let current = ''
  let room = width
  const endLine = () => {
    lines.push(current)
    current = ''
    room = width
  }
  for (const word of line.match(/\s|\S+/g) ?? []) {
    const columns = columnsOf(word)
    if (columns > room && room < width && columns <= width) endLine()
    // A line does not begin with the space at which it was broken.
    if (word === ' ' && room === width && lines.length > 0) continue
    for (const letter of word) {
      if (columnsOf(letter) > room) endLine()
      current += letter
      room -= columnsOf(letter)
    }
  }
  endLine()
  return lines
}

/** The most columns that a text can take: terminals show many letters of later blocks two columns wide. */
const columnsOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2), 0)
