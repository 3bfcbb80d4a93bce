/** A URL or path without query and fragment. */
export const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '')
