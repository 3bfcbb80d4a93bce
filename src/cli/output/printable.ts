/**
 * Replaces control and bidirectional formatting characters, so that text from outside cannot move the cursor, break
 * a line or change its reading order.
 */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD')
