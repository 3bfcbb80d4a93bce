import { useState } from 'react'
import { Field } from './field'
import { FormErrors } from './form-errors'
import type { Submit } from './use-dashboard'
import { useForm } from './use-form'

export function WaitlistForm({ onJoin }: { onJoin: Submit<string> }) {
  const [joined, setJoined] = useState<string>()
  const form = useForm(async (values) => {
    const email = values.get('email')
    const errors = await onJoin(email)
    if (!errors) setJoined(email.trim())
    return errors
  })

  return (
    <section className="card" aria-labelledby="waitlist">
      <h2 id="waitlist">New here?</h2>
      <p>Leave your address, and we will write once there is room for your team.</p>
      <form {...form.props}>
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          errors={form.errors.fields.email}
        />
        <FormErrors errors={form.errors.form} />
        <button type="submit" aria-disabled={form.isSending}>
          Join the waitlist
        </button>
      </form>
      <p className="done" role="status">
        {joined && `Thank you. ${joined} is on the list.`}
      </p>
    </section>
  )
}
