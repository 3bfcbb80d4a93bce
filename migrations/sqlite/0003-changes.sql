CREATE TABLE changes (scope TEXT PRIMARY KEY, serial INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX changes_in_order ON changes (serial);
CREATE TRIGGER project_added AFTER INSERT ON projects BEGIN
  INSERT INTO changes VALUES (new.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes))
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
END;
CREATE TRIGGER project_changed AFTER UPDATE ON projects BEGIN
  INSERT INTO changes VALUES (new.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes))
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
END;
CREATE TRIGGER project_moved AFTER UPDATE OF team_id ON projects WHEN old.team_id IS NOT new.team_id BEGIN
  INSERT INTO changes VALUES (old.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes))
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
END;
CREATE TRIGGER project_removed AFTER DELETE ON projects BEGIN
  INSERT INTO changes VALUES (old.team_id, (SELECT coalesce(max(serial), 0) + 1 FROM changes))
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
END;
CREATE TRIGGER team_added AFTER INSERT ON teams BEGIN
  INSERT INTO changes VALUES ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes))
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
END;
CREATE TRIGGER team_changed AFTER UPDATE ON teams BEGIN
  INSERT INTO changes VALUES ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes))
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
END;
CREATE TRIGGER team_removed AFTER DELETE ON teams BEGIN
  INSERT INTO changes VALUES ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes))
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
END;
CREATE TRIGGER user_changed AFTER UPDATE ON users WHEN (old.id, old.email, old.given_name, old.family_name, old.picture)
    IS NOT (new.id, new.email, new.given_name, new.family_name, new.picture) BEGIN
  INSERT INTO changes VALUES ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes))
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
END;
CREATE TRIGGER user_removed AFTER DELETE ON users BEGIN
  INSERT INTO changes VALUES ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes))
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
END;
CREATE TRIGGER session_changed AFTER UPDATE OF id, user_id, org_code, permissions, created_at, expires_at, revoked_at ON sessions BEGIN
  INSERT INTO changes VALUES ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes))
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
END;
CREATE TRIGGER session_removed AFTER DELETE ON sessions BEGIN
  INSERT INTO changes VALUES ('', (SELECT coalesce(max(serial), 0) + 1 FROM changes))
  ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
END;
