import type { Project, ProjectChanges } from 'dashboard-api/client'
import { useState } from 'react'
import { EditableText } from './editable-text'
import { FormErrors } from './form-errors'
import { StatusSelect } from './status-select'
import type { ValidationErrors } from './use-dashboard'

type ProjectRowProps = {
  project: Project
  /** The id of the text that explains why changes are disabled. */
  disabledBy: string | undefined
  onUpdate(changes: ProjectChanges): Promise<ValidationErrors | undefined>
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

export function ProjectRow({ project, disabledBy, onUpdate }: ProjectRowProps) {
  const [statusErrors, setStatusErrors] = useState<string[]>([])
  const { name, description, status, createdAt } = project

  const setStatus = async (next: string) => {
    const errors = await onUpdate({ status: next })
    setStatusErrors(errors ? [...errors.form, ...Object.values(errors.fields).flat()] : [])
  }

  return (
    <li className="card project" aria-label={name}>
      <div className="texts">
        <EditableText
          label="Name"
          action={`Rename ${name}`}
          value={name}
          disabledBy={disabledBy}
          onSave={(text) => onUpdate({ name: text })}
          errorsOf={(errors) => errors.fields.name}
        >
          <h3>{name}</h3>
        </EditableText>
        <EditableText
          label="Description"
          action={`Edit the description of ${name}`}
          value={description ?? ''}
          disabledBy={disabledBy}
          multiline
          onSave={(text) => onUpdate({ description: text })}
          errorsOf={(errors) => errors.fields.description}
        >
          {description ? <p>{description}</p> : <p className="muted">No description</p>}
        </EditableText>
      </div>
      <div className="facts">
        <StatusSelect project={name} status={status} disabledBy={disabledBy} onChange={setStatus} />
        <p className="muted">
          Created <time dateTime={createdAt}>{day.format(new Date(createdAt))}</time>
        </p>
      </div>
      <FormErrors errors={statusErrors} />
    </li>
  )
}
