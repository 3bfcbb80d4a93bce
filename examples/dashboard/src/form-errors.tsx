/** The errors of a form that belong to no field. */
export const FormErrors = ({ errors }: { errors: string[] }) =>
  errors.length > 0 && (
    <p className="error" role="alert">
      {errors.join(' ')}
    </p>
  )
