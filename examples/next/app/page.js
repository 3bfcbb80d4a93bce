import { api, apiUrl, session } from './api.js'

export default async function Page() {
  const list = await api.projects.list(await session())
  if (list.code === 'AUTH_REQUIRED') return <a href="/auth/sign-in">Sign in</a>
  if (!list.ok) return <p role="alert">{list.body.error}</p>
  const invoice = await (await fetch(`${apiUrl}/api/invoices/200`)).json()
  return (
    <>
      <ul>
        {list.body.projects.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
      <p>Invoice {invoice.number}</p>
    </>
  )
}
