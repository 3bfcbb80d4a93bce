ALTER TABLE changes ADD COLUMN projects INTEGER NOT NULL DEFAULT 0;
ALTER TABLE changes ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
INSERT INTO changes
  SELECT team_id, 0, count(*), sum(length(CAST(json_quote(coalesce(name, '')) AS BLOB)) - 2 + length(CAST(json_quote(coalesce(description, '')) AS BLOB)) - 2 + length(CAST(json_quote(coalesce(status, '')) AS BLOB)) - 2) FROM projects WHERE true GROUP BY team_id
  ON CONFLICT (scope) DO UPDATE SET projects = excluded.projects, bytes = excluded.bytes;
DROP TRIGGER project_added;
DROP TRIGGER project_changed;
DROP TRIGGER project_moved;
DROP TRIGGER project_removed;
DROP TRIGGER team_added;
DROP TRIGGER team_changed;
DROP TRIGGER team_removed;
DROP TRIGGER user_changed;
DROP TRIGGER user_removed;
DROP TRIGGER session_changed;
DROP TRIGGER session_removed;
CREATE TRIGGER project_added AFTER INSERT ON projects BEGIN
  INSERT INTO changes VALUES
    (new.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes), 1, length(CAST(json_quote(coalesce(new.name, '')) AS BLOB)) - 2 + length(CAST(json_quote(coalesce(new.description, '')) AS BLOB)) - 2 + length(CAST(json_quote(coalesce(new.status, '')) AS BLOB)) - 2)
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER project_changed AFTER UPDATE ON projects BEGIN
  INSERT INTO changes VALUES
    (new.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes), old.team_id IS NOT new.team_id, length(CAST(json_quote(coalesce(new.name, '')) AS BLOB)) - 2 + length(CAST(json_quote(coalesce(new.description, '')) AS BLOB)) - 2 + length(CAST(json_quote(coalesce(new.status, '')) AS BLOB)) - 2 - iif(old.team_id IS new.team_id, length(CAST(json_quote(coalesce(old.name, '')) AS BLOB)) - 2 + length(CAST(json_quote(coalesce(old.description, '')) AS BLOB)) - 2 + length(CAST(json_quote(coalesce(old.status, '')) AS BLOB)) - 2, 0))
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER project_moved AFTER UPDATE OF team_id ON projects WHEN old.team_id IS NOT new.team_id BEGIN
  INSERT INTO changes VALUES
    (old.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes), -1, -(length(CAST(json_quote(coalesce(old.name, '')) AS BLOB)) - 2 + length(CAST(json_quote(coalesce(old.description, '')) AS BLOB)) - 2 + length(CAST(json_quote(coalesce(old.status, '')) AS BLOB)) - 2))
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER project_removed AFTER DELETE ON projects BEGIN
  INSERT INTO changes VALUES
    (old.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes), -1, -(length(CAST(json_quote(coalesce(old.name, '')) AS BLOB)) - 2 + length(CAST(json_quote(coalesce(old.description, '')) AS BLOB)) - 2 + length(CAST(json_quote(coalesce(old.status, '')) AS BLOB)) - 2))
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER team_added AFTER INSERT ON teams BEGIN
  INSERT INTO changes VALUES
    ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes), 0, 0)
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER team_changed AFTER UPDATE ON teams BEGIN
  INSERT INTO changes VALUES
    ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes), 0, 0)
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER team_removed AFTER DELETE ON teams BEGIN
  INSERT INTO changes VALUES
    ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes), 0, 0)
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER user_changed AFTER UPDATE ON users WHEN (old.id, old.email, old.given_name, old.family_name, old.picture)
    IS NOT (new.id, new.email, new.given_name, new.family_name, new.picture) BEGIN
  INSERT INTO changes VALUES
    ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes), 0, 0)
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER user_removed AFTER DELETE ON users BEGIN
  INSERT INTO changes VALUES
    ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes), 0, 0)
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER session_changed AFTER UPDATE OF id, user_id, org_code, permissions, created_at, expires_at, revoked_at ON sessions BEGIN
  INSERT INTO changes VALUES
    ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes), 0, 0)
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER session_removed AFTER DELETE ON sessions BEGIN
  INSERT INTO changes VALUES
    ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes), 0, 0)
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
ALTER TABLE waitlist ADD COLUMN submissions INTEGER NOT NULL DEFAULT 1;
