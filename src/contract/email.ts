/** The longest address that mail servers accept, in characters (RFC 5321). */
const maxCharacters = 254

const part = '[^@\\s\\u0000-\\u001f\\u007f-\\u009f]+'

/** The pattern of an address, with surrounding white space, for JSON Schema. */
export const emailPattern = `^\\s*${part}@${part}\\s*$`

const address = new RegExp(`^${part}@${part}$`, 'u')

/**
 * Whether a text has the form of an email address: one `@` that is neither first nor last, and no white space or control
 * character (U+0000 to U+001F, U+007F to U+009F). Section 2.3 asks for no format; the mail server checks the rest.
 */
export const isEmailAddress = (text: string): boolean =>
  address.test(text) && [...text].length <= maxCharacters
