/** Whether every store can hold a text: it has no U+0000 and no lone surrogate. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
