"""Programs as bots, by the protocol of docs/protocol.md: seating a program, and being one."""
