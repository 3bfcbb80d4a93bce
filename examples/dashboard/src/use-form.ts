import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Faults } from './use-dashboard'

const none: Faults = { form: [], fields: {} }

/** The text fields of a form, by name. */
export type Values = { get(name: string): string }

/**
 * A form that the service judges: sends what was entered, shows what is wrong, and takes the reader there.
 * @param send gives nothing when it worked; the form is then emptied
 */
export function useForm(send: (values: Values) => Promise<Faults | undefined>) {
  const ref = useRef<HTMLFormElement>(null)
  const [faults, setFaults] = useState(none)
  const [isSending, setSending] = useState(false)

  useEffect(() => {
    if (faults !== none) ref.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [faults])

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending) return
    const form = event.currentTarget
    const data = new FormData(form)
    setSending(true)
    const found = await send({ get: (name) => String(data.get(name) ?? '') })
    setSending(false)
    setFaults(found ?? none)
    if (!found) form.reset()
  }

  // The service says what is valid, not the browser: its words are shown at the field.
  return { props: { ref, onSubmit, noValidate: true }, faults, isSending }
}
