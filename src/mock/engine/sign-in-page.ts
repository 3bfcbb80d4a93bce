import { escapeHtml, page } from '../../pages/page.js'
import type { Persona } from '../state/listed-personas.js'

const style = `
ul { list-style: none; padding: 0; display: grid; gap: .6rem; }
button { width: 100%; text-align: left; font: inherit; color: inherit; padding: .8rem 1rem; cursor: pointer;
  background: var(--soft); border: 1px solid var(--line); border-radius: .6rem; }
button:hover { border-color: var(--accent); } small { display: block; opacity: .75; }`

/**
 * The mock's sign-in page, with a button for each persona. The form is sent to the URL of the page: a proxy may have removed
 * a prefix, which an action would lack.
 */
export const signInPage = (personas: readonly Persona[]): string =>
  page(
    'Sign in · mock',
    `<h1>Sign in as a persona</h1>
<p>This is a mock. Personas are fictional and have no password.</p>
<form method="post">
<ul>
${personas.map(card).join('\n')}
</ul>
</form>`,
    style,
  )

const card = ({ id, email, note }: Persona): string =>
  `<li><button name="session" value="${escapeHtml(id)}"><strong>${escapeHtml(id)}</strong>
<small>${escapeHtml(email)}${note ? `. ${escapeHtml(note)}` : ''}</small></button></li>`
