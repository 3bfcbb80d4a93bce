import { escapeHtml, page } from './page.js'

/**
 * The page after a failed sign-in.
 * @param title what happened, in a few words
 * @param text the cause, and what to do
 * @param retryUrl starts a new sign-in
 */
export const signInFailedPage = (title: string, text: string, retryUrl: string): string =>
  page(
    title,
    `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p><a href="${escapeHtml(retryUrl)}">Sign in again</a></p>`,
  )
