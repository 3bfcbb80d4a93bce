import { escapeHtml, page } from '../../pages/page.js'
import type { Persona } from '../state/listed-personas.js'

const style = `
ul { list-style: none; padding: 0; display: grid; gap: .6rem; }
button { width: 100%; text-align: left; font: inherit; color: inherit; padding: .8rem 1rem; cursor: pointer;
  background: var(--soft); border: 1px solid var(--line); border-radius: .6rem; }
button:hover { border-color: var(--accent); } small { display: block; opacity: .75; }`

/**
 * Says so where the browser stores no cookie of the page, as in a frame of another site: a sign-in would have no effect, and the
 * application would ask again. It tries a cookie like that of the session.
 */
const cookieProbe = `
let stored = false
try {
  document.cookie = 'mock-probe=1; Path=/; SameSite=Lax'
  stored = document.cookie.includes('mock-probe=1')
  document.cookie = 'mock-probe=; Path=/; Max-Age=0'
} catch {}
if (!stored) {
  const told = document.querySelector('[role=alert]')
  told.hidden = false
  if (self !== top) told.querySelector('span').textContent = ' in this frame'
}
`

/** The SHA-256 of the script, as the policy of the page has it. */
export const cookieProbeHash = '93XRbBO986WQzmNHEizqhwPh6raoxRExmofUUBaywaA='

/**
 * The mock's sign-in page, with a button for each persona. The form is sent to the URL of the page: a proxy may have removed
 * a prefix, which an action would lack.
 */
export const signInPage = (personas: readonly Persona[]): string =>
  page(
    'Sign in · mock',
    `<h1>Sign in as a persona</h1>
<p>This is a mock. Personas are fictional and have no password.</p>
<p role="alert" hidden>The browser stores no cookie of this page<span></span>, so a sign-in has no effect here.
<a href="" target="_blank">Open it in a tab</a>, or allow its cookies.</p>
<form method="post">
<ul>
${personas.map(card).join('\n')}
</ul>
</form>`,
    style,
    cookieProbe,
  )

const card = ({ id, email, note }: Persona): string =>
  `<li><button name="session" value="${escapeHtml(id)}"><strong>${escapeHtml(id)}</strong>
<small>${escapeHtml(email)}${note ? `. ${escapeHtml(note)}` : ''}</small></button></li>`
