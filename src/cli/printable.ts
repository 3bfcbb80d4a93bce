/**
 * Text from outside, safe to print: control characters could move the cursor or break a line into two.
 * @returns the text with every control character replaced
 */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\uFFFD')
