import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createClient } from 'dashboard-api/client'

// With `throwing`, a call returns the body of the success and throws ApiError otherwise, as TanStack Query expects.
const api = createClient({ throwing: true })

export function Projects() {
  const queries = useQueryClient()
  const list = useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => api.projects.list({ signal }),
  })
  const create = useMutation({
    mutationFn: (name: string) => api.projects.create({ name }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['projects'] }),
  })

  if (list.isPending) return <p>Loading</p>
  if (list.isError) return <p role="alert">{list.error.message}</p>
  return (
    <>
      <ul>
        {list.data.projects.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
      <button type="button" onClick={() => create.mutate('Roadmap')}>
        Create
      </button>
      {create.isError && <p role="alert">{create.error.message}</p>}
    </>
  )
}
