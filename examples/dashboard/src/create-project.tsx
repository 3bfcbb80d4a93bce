import { useState } from 'react'
import { Field } from './field'
import { FormErrors } from './form-errors'
import type { Submit } from './use-dashboard'
import { useForm } from './use-form'

type CreateProjectProps = { allowed: boolean; onCreate: Submit<{ name: string; description?: string }> }

export function CreateProject({ allowed, onCreate }: CreateProjectProps) {
  const [created, setCreated] = useState('')
  const form = useForm(async (values) => {
    const description = values.get('description')
    const project = { name: values.get('name'), ...(description !== '' && { description }) }
    setCreated('')
    const faults = await onCreate(project)
    if (!faults) {
      setCreated(project.name)
      form.props.ref.current?.querySelector('input')?.focus()
    }
    return faults
  })

  return (
    <section className="card" aria-labelledby="create">
      <h2 id="create">New project</h2>
      <form {...form.props}>
        <fieldset disabled={!allowed} aria-describedby={allowed ? undefined : 'why-not-create'}>
          <legend className="hidden">New project</legend>
          <div className="pair">
            <Field label="Name" name="name" autoComplete="off" errors={form.faults.fields.name} />
            <Field
              label="Description (optional)"
              name="description"
              autoComplete="off"
              errors={form.faults.fields.description}
            />
            <button type="submit" aria-disabled={form.isSending}>
              Create
            </button>
          </div>
          <FormErrors errors={form.faults.form} />
        </fieldset>
      </form>
      {!allowed && (
        <p className="hint" id="why-not-create">
          You cannot create projects: that needs the permission <code>create:projects</code>.
        </p>
      )}
      <p className="done" role="status">
        {created && `“${created}” was created.`}
      </p>
    </section>
  )
}
