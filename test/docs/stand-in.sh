#!/bin/sh
# Replaces the programs that need systemd or a registry: each is a link to this file. $ROOT replaces /.
# systemd-analyze verifies the units (test/package/backup-schedules.test.ts).
set -eu

stop() {
  [ -e "$ROOT/pid" ] || return 0
  kill "$(cat "$ROOT/pid")"
  while kill -0 "$(cat "$ROOT/pid")" 2>/dev/null; do sleep 0.1; done
  rm "$ROOT/pid"
}

# Uses the settings of the units instead of those of the shell.
settings() {
  set -a
  . "$ROOT/etc/dashboard-api.env"
  DASHBOARD_API_DATABASE=$ROOT/var/lib/dashboard-api/dashboard.db
  DASHBOARD_API_SESSION_SECRET_FILE=$ROOT/etc/dashboard-api/session-secret
  unset DASHBOARD_API_SESSION_SECRET
  mkdir -p "$ROOT/var/lib/dashboard-api"
}

# The arguments of the program in a unit.
command_of() {
  sed -n "s:/var/:$ROOT/var/:; s:^ExecStart=[^ ]* ::p" "$ROOT/etc/systemd/system/$1.service"
}

# shellcheck disable=SC2046 # Arguments.
case "${0##*/} $*" in
'systemctl enable --now dashboard-api' | 'systemctl start dashboard-api' | 'systemctl restart dashboard-api')
  stop
  settings
  "$NODE" "$BIN" $(command_of dashboard-api) >>"$ROOT/dashboard-api.log" 2>&1 </dev/null &
  echo $! >"$ROOT/pid"
  ;;
'systemctl stop dashboard-api') stop ;;
'systemctl status dashboard-api') kill -0 "$(cat "$ROOT/pid")" ;;
'systemctl start dashboard-api-backup')
  settings
  "$NODE" "$BIN" $(command_of dashboard-api-backup) >>"$ROOT/dashboard-api-backup.log" 2>&1
  ;;
'systemctl enable --now dashboard-api-backup.timer') ;;
'journalctl -u '*' -o cat') cat "$ROOT/$2.log" ;;
'npm install --global dashboard-api '*) ;;
'npm root --global') echo "$ROOT/usr/local/lib/node_modules" ;;
'npm prefix --global') echo "$ROOT/usr/local" ;;
'npx dashboard-api '*) exec "$@" ;;
'dashboard-api serve')
  # In the foreground, until Ctrl-C.
  "$NODE" "$BIN" serve >"$ROOT/foreground.log" 2>&1 </dev/null &
  until grep -q 'listens at' "$ROOT/foreground.log"; do kill -0 $! && sleep 0.1; done
  kill -INT $!
  wait $!
  cat "$ROOT/foreground.log"
  ;;
'dashboard-api '*) exec "$NODE" "$BIN" "$@" ;;
*)
  echo "${0##*/} $* is not known here" >&2
  exit 1
  ;;
esac
