/** Characters that a terminal would obey: control characters except the line feed, and bidirectional formatting. */
export const controlCharacters = /[^\n\P{Cc}]|[\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu

/** Quotes a word of a command for a POSIX shell, which then takes it as it is. */
export const shellQuote = (word: string): string =>
  // A first "=" or "~" would be expanded.
  /^[\w:/.%@+-][\w:/.=%@+-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
