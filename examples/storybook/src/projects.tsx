import { createClient, type Project } from 'dashboard-api/client'
import { type FormEvent, useEffect, useState } from 'react'

const client = createClient()

/** The projects of the team, with a form to create one, and the number of open invoices. */
export function Projects() {
  const [projects, setProjects] = useState<Project[]>([])
  const [invoices, setInvoices] = useState<number>()
  const [message, setMessage] = useState('Loading…')

  useEffect(() => {
    void client.projects.list().then((result) => {
      if (result.ok) setProjects(result.body.projects)
      setMessage(result.ok ? '' : result.body.error)
    })
    // A service of one's own, beside the dashboard API.
    void fetch('/api/invoices').then(async (response) => {
      if (response.ok) setInvoices((await response.json()).length)
    })
  }, [])

  async function create(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name'))
    const result = await client.projects.create({ name })
    if (result.ok) setProjects((others) => [result.body.project, ...others])
    setMessage(result.ok ? '' : result.body.error)
  }

  return (
    <main>
      <h1>Projects</h1>
      {invoices !== undefined && <p>Open invoices: {invoices}</p>}
      {message && <p role="alert">{message}</p>}
      <ul>
        {projects.map((project) => (
          <li key={project.id}>{project.name}</li>
        ))}
      </ul>
      <form onSubmit={create}>
        <label>
          Name <input name="name" />
        </label>
        <button type="submit">Create</button>
      </form>
    </main>
  )
}
