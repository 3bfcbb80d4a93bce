CREATE INDEX projects_by_id_and_team ON projects (id, team_id);
