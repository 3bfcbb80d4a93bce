import { escapeHtml, page } from './page.js'

/**
 * What somebody sees whom a sign-in did not sign in.
 * @param title what happened, in a few words
 * @param text what it means and what to do
 * @param again where to try once more
 */
export const signInFailedPage = (title: string, text: string, again: string): string =>
  page(
    title,
    `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p><a href="${escapeHtml(again)}">Sign in again</a></p>`,
  )
