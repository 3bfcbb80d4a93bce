import { escapeHtml, page } from './page.js'

export type PersonaCard = { id: string; email: string; note?: string }

/** The mock's sign-in page. Each persona has a button, which signs in and redirects to `returnTo`. */
export const signInPage = (personas: readonly PersonaCard[], returnTo: string): string =>
  page(
    'Sign in · mock',
    `<h1>Sign in as a persona</h1>
<p>This is a mock. Personas are fictional and have no password.</p>
<form method="post" action="/auth/sign-in?returnTo=${escapeHtml(encodeURIComponent(returnTo))}">
<ul class="cards">
${personas.map(card).join('\n')}
</ul>
</form>`,
  )

const card = ({ id, email, note }: PersonaCard): string =>
  `<li><button name="session" value="${escapeHtml(id)}"><strong>${escapeHtml(id)}</strong>
<small>${escapeHtml(email)}${note ? `. ${escapeHtml(note)}` : ''}</small></button></li>`
