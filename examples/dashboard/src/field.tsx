import { useId } from 'react'

type FieldProps = {
  label: string
  name: string
  type?: 'text' | 'email'
  multiline?: boolean
  autoComplete?: string
  defaultValue?: string
  errors?: string[] | undefined
}

/** A labelled text field with its errors below. */
export function Field({ label, type = 'text', multiline = false, errors = [], ...rest }: FieldProps) {
  const id = useId()
  const hasErrors = errors.length > 0
  const control = {
    id,
    'aria-invalid': hasErrors,
    'aria-describedby': hasErrors ? `${id}-errors` : undefined,
    ...rest,
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {multiline ? <textarea rows={3} {...control} /> : <input type={type} {...control} />}
      {hasErrors && (
        <p id={`${id}-errors`} className="error">
          {errors.join(' ')}
        </p>
      )}
    </div>
  )
}
