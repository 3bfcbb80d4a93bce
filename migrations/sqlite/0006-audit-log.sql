CREATE TABLE audit_log (
  id TEXT PRIMARY KEY,
  at TEXT NOT NULL,
  action TEXT NOT NULL,
  outcome TEXT NOT NULL,
  reason TEXT,
  via TEXT NOT NULL,
  operator TEXT,
  source TEXT,
  request_id TEXT,
  user_id TEXT,
  session_id TEXT,
  target TEXT,
  details TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_log_in_order ON audit_log (at, id);
CREATE INDEX audit_log_by_user ON audit_log (user_id, at, id);
CREATE TABLE audit_retention (removed_before TEXT NOT NULL) STRICT;
INSERT INTO audit_retention VALUES ('');
CREATE TRIGGER audit_log_replaced BEFORE INSERT ON audit_log WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = new.id) BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER audit_log_updated BEFORE UPDATE ON audit_log WHEN true BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER audit_log_deleted BEFORE DELETE ON audit_log WHEN old.at >= (SELECT coalesce(max(removed_before), '') FROM audit_retention) BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
