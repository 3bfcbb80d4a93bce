// Characters that a terminal interprets: control characters (C0, DEL, C1), line and paragraph separators, and bidirectional
// formatting, which changes the reading order.
const controls = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu

/** Most JSON has nothing to escape. */
const asciiJson = /^[\n -~]*$/

const hexOf = (char: string, digits: number) => char.charCodeAt(0).toString(16).padStart(digits, '0')
const escapeOf = (char: string) => (char <= '\u00FF' ? `\\x${hexOf(char, 2)}` : `\\u{${hexOf(char, 4)}}`)

/** Makes control characters visible, as `\x1b` or `\u{202e}`, in text for one line or cell. */
export const printable = (text: string): string => text.replace(controls, escapeOf)

/** The same for lines of text. Line ends, and tabs between cells, are not changed. */
export const printableLines = (text: string): string => text.replace(/(?:[^\r\n\t]|\r(?!\n))+/g, printable)

/** The same for JSON text, whose value stays the same. JSON.stringify escapes only some of the characters. */
export const printableJson = (json: string): string =>
  asciiJson.test(json)
    ? json
    : json.replace(controls, (char) => (char === '\n' ? char : `\\u${hexOf(char, 4)}`))
