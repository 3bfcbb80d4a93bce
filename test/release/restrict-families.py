"""Runs a program with the address families that a unit of systemd allows, by a filter as systemd installs one.

usage: restrict-families.py FAMILY[,FAMILY...] PROGRAM [ARGUMENT...]
"""
import errno, os, socket, sys
import seccomp

allowed = {getattr(socket, name) for name in sys.argv[1].split(",")}
rules = seccomp.SyscallFilter(seccomp.ALLOW)
for family in range(64):
    if family not in allowed:
        refuse = seccomp.ERRNO(errno.EAFNOSUPPORT)
        rules.add_rule(refuse, "socket", seccomp.Arg(0, seccomp.EQ, family))
# NoNewPrivileges, which a filter without privileges needs, is the default of the library.
rules.load()
os.execvp(sys.argv[2], sys.argv[2:])
