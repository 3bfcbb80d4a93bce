"""Runs a command on a pseudo-terminal, with the standard library only.

usage: run-on-terminal.py ROWS COLUMNS PROGRAM [ARGUMENT...]
Standard output receives what the command writes to the terminal. Standard input takes JSON lines: {"type": TEXT} or
{"size": [ROWS, COLUMNS]}. Closing it kills the command.
"""
import fcntl, json, os, pty, select, signal, struct, sys, termios


def resize(fd, rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


pid, terminal = pty.fork()
if pid == 0:
    resize(0, int(sys.argv[1]), int(sys.argv[2]))
    os.execvp(sys.argv[3], sys.argv[3:])

pending = b""
inputs = [terminal, 0]
while True:
    ready, _, _ = select.select(inputs, [], [])
    if terminal in ready:
        try:
            written = os.read(terminal, 65536)
        except OSError:
            written = b""
        if not written:
            break
        os.write(1, written)
    if 0 in ready:
        more = os.read(0, 65536)
        if not more:
            inputs.remove(0)
            os.killpg(pid, signal.SIGKILL)
            continue
        *lines, pending = (pending + more).split(b"\n")
        for line in lines:
            command = json.loads(line)
            if "type" in command:
                os.write(terminal, command["type"].encode())
            if "size" in command:
                resize(terminal, *command["size"])

_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) % 256)
