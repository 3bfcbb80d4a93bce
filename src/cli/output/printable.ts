/**
 * Text from outside, safe to print: control characters could move the cursor or break a line into two, and those
 * that change the direction of writing could make a line read as another.
 * @returns the text with every such character replaced
 */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD')
