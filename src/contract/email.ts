/** The most characters of an address that mail servers accept (RFC 5321). */
const maxCharacters = 254

/**
 * Whether a text has the form of an email address: one `@` that is neither first nor last, and no white space or
 * control character. Section 2.3 asks for no format; the rest is the business of the mail server.
 */
export const isEmailAddress = (text: string): boolean =>
  /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(text) && [...text].length <= maxCharacters
