import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Field } from './field'
import { FormErrors } from './form-errors'
import type { ValidationErrors } from './use-dashboard'
import { useForm } from './use-form'

type EditableTextProps = {
  label: string
  /** The label of the button that starts editing, such as `Rename Mobile app`. */
  action: string
  value: string
  multiline?: boolean
  disabledBy: string | undefined
  onSave(text: string): Promise<ValidationErrors | undefined>
  errorsOf(errors: ValidationErrors): string[] | undefined
  /** The text as displayed. */
  children: ReactNode
}

/** Text that can be edited in place. Escape cancels. */
export function EditableText({ children, action, disabledBy, ...edit }: EditableTextProps) {
  const [isEditing, setEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)

  // After editing, the focus returns to the button.
  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])

  if (isEditing) return <EditForm {...edit} onDone={() => setEditing(false)} />
  return (
    <div className="editable">
      {children}
      <button
        ref={button}
        type="button"
        className="icon"
        aria-label={action}
        title={action}
        aria-describedby={disabledBy}
        disabled={disabledBy !== undefined}
        onClick={() => setEditing(true)}
      >
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M4 16l.8-3.6L13 4.2a1.4 1.4 0 0 1 2 0l.8.8a1.4 1.4 0 0 1 0 2L7.6 15.2 4 16z" />
        </svg>
      </button>
    </div>
  )
}

type EditFormProps = Pick<EditableTextProps, 'label' | 'value' | 'multiline' | 'onSave' | 'errorsOf'> & {
  onDone(): void
}

function EditForm({ label, value, multiline = false, onSave, errorsOf, onDone }: EditFormProps) {
  const form = useForm(async (values) => {
    const text = values.get('text')
    const errors = text === value ? undefined : await onSave(text)
    if (!errors) onDone()
    return errors
  })
  const { ref } = form.props

  useEffect(() => {
    const field = ref.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea')
    field?.focus()
    field?.select()
  }, [ref])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onDone()
  }

  return (
    <form {...form.props} className="edit" onKeyDown={onKeyDown}>
      <Field
        label={label}
        name="text"
        defaultValue={value}
        autoComplete="off"
        multiline={multiline}
        errors={errorsOf(form.errors)}
      />
      <FormErrors errors={form.errors.form} />
      <div className="buttons">
        <button type="submit" aria-disabled={form.isSending}>
          Save
        </button>
        <button type="button" className="quiet" onClick={onDone}>
          Cancel
        </button>
      </div>
    </form>
  )
}
