/** What is wrong with a form as a whole. */
export const FormErrors = ({ errors }: { errors: string[] }) =>
  errors.length > 0 && (
    <p className="error" role="alert">
      {errors.join(' ')}
    </p>
  )
