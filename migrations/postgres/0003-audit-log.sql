CREATE TABLE audit_log (
  id text COLLATE "C" PRIMARY KEY,
  at text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  reason text COLLATE "C",
  via text COLLATE "C" NOT NULL,
  operator text COLLATE "C",
  source text COLLATE "C",
  request_id text COLLATE "C",
  user_id text COLLATE "C",
  session_id text COLLATE "C",
  target text COLLATE "C",
  details text COLLATE "C"
);
CREATE INDEX audit_log_in_order ON audit_log (at, id);
CREATE INDEX audit_log_by_user ON audit_log (user_id, at, id);
CREATE TABLE audit_retention (removed_before text COLLATE "C" NOT NULL);
INSERT INTO audit_retention VALUES ('');

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN
    IF old.at < (SELECT max(removed_before) FROM audit_retention) THEN RETURN old; END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_log_changed BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_log_truncated BEFORE TRUNCATE ON audit_log EXECUTE FUNCTION refuse_audit_change();
