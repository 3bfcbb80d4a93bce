import type { Project, ProjectChanges } from 'dashboard-api/client'
import { useState } from 'react'
import { EditableText } from './editable-text'
import { FormErrors } from './form-errors'
import { StatusSelect } from './status-select'
import type { Faults } from './use-dashboard'

type ProjectRowProps = {
  project: Project
  /** The id of the text that says why nothing can be changed. */
  disabledBy: string | undefined
  onUpdate(changes: ProjectChanges): Promise<Faults | undefined>
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

export function ProjectRow({ project, disabledBy, onUpdate }: ProjectRowProps) {
  const [refusal, setRefusal] = useState<string[]>([])
  const { name, description, status, createdAt } = project

  const setStatus = async (wanted: string) => {
    const faults = await onUpdate({ status: wanted })
    setRefusal(faults ? [...faults.form, ...Object.values(faults.fields).flat()] : [])
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
          faultsOf={(faults) => faults.fields.name}
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
          faultsOf={(faults) => faults.fields.description}
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
      <FormErrors errors={refusal} />
    </li>
  )
}
