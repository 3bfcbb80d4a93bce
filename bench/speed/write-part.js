// Writes the generated part of a document that is otherwise written by hand.
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Replaces the text between the markers of a part, or adds the part at the end of the document.
 */
export function writePart(file, heading, text) {
  const [begin, end] = ['begin', 'end'].map(
    (place) => `<!-- ${heading}: ${place}, written by npm run bench -->`,
  )
  const document = readFileSync(file, 'utf8')
  const part = `${begin}\n\n${text.trim()}\n\n${end}`
  const [start, stop] = [document.indexOf(begin), document.indexOf(end)]
  writeFileSync(
    file,
    start !== -1 && stop > start
      ? document.slice(0, start) + part + document.slice(stop + end.length)
      : `${document.trimEnd()}\n\n## ${heading}\n\n${part}\n`,
  )
}
