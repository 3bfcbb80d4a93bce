/** Whether every store can hold a text: not with U+0000, nor with a lone surrogate. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
