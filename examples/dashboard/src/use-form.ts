import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { ValidationErrors } from './use-dashboard'

const none: ValidationErrors = { form: [], fields: {} }

/** The text fields of a form, by name. */
export type Values = { get(name: string): string }

/**
 * A form that the service validates. After a failure it shows the errors and focuses the first invalid field.
 * @param send resolves with the errors, or undefined on success; the form is then reset
 */
export function useForm(send: (values: Values) => Promise<ValidationErrors | undefined>) {
  const ref = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState(none)
  const [isSending, setSending] = useState(false)

  useEffect(() => {
    if (errors !== none) ref.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [errors])

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending) return
    const form = event.currentTarget
    const data = new FormData(form)
    setSending(true)
    const result = await send({ get: (name) => String(data.get(name) ?? '') })
    setSending(false)
    setErrors(result ?? none)
    if (!result) form.reset()
  }

  // The service validates, not the browser. Its messages are shown at the fields.
  return { props: { ref, onSubmit, noValidate: true }, errors, isSending }
}
