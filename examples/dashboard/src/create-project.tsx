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
    const errors = await onCreate(project)
    if (!errors) {
      setCreated(project.name)
      form.props.ref.current?.querySelector('input')?.focus()
    }
    return errors
  })

  return (
    <section className="card" aria-labelledby="create">
      <h2 id="create">New project</h2>
      <form {...form.props}>
        <fieldset disabled={!allowed} aria-describedby={allowed ? undefined : 'why-not-create'}>
          <legend className="hidden">New project</legend>
          <div className="pair">
            <Field label="Name" name="name" autoComplete="off" errors={form.errors.fields.name} />
            <Field
              label="Description (optional)"
              name="description"
              autoComplete="off"
              errors={form.errors.fields.description}
            />
            <button type="submit" aria-disabled={form.isSending}>
              Create
            </button>
          </div>
          <FormErrors errors={form.errors.form} />
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
