import type { Project } from 'dashboard-api/client'
import { CreateProject } from './create-project'
import { ProjectRow } from './project-row'
import type { Actions } from './use-dashboard'

type ProjectBoardProps = { permissions: string[]; projects: Project[]; actions: Actions }

/** The team's projects, newest first as in the response, and a form to create one. */
export function ProjectBoard({ permissions, projects, actions }: ProjectBoardProps) {
  const mayCreate = permissions.includes('create:projects')
  const mayUpdate = permissions.includes('update:projects')
  return (
    <div className="stack">
      <div className="title">
        <h1>Projects</h1>
        <p>{projects.length === 1 ? '1 project' : `${projects.length} projects`}</p>
      </div>
      <CreateProject allowed={mayCreate} onCreate={actions.create} />
      {!mayUpdate && projects.length > 0 && (
        <p className="hint" id="why-not-update">
          You can read projects, but not change them: that needs the permission <code>update:projects</code>.
        </p>
      )}
      {projects.length === 0 ? (
        <section className="card note">
          <h2>No projects yet</h2>
          <p>
            {mayCreate
              ? 'Give the first one a name above.'
              : 'They will be here once a colleague starts one.'}
          </p>
        </section>
      ) : (
        <ul className="projects" aria-label="Projects">
          {projects.map((project) => (
            <ProjectRow
              key={project.id}
              project={project}
              disabledBy={mayUpdate ? undefined : 'why-not-update'}
              onUpdate={(changes) => actions.update(project.id, changes)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
