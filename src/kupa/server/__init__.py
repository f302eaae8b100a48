"""The server: matches kept in an append-only log, played over HTTP and sockets.

From the door inwards: ``serve`` (the process), ``app`` (what answers where), ``api`` and ``sockets`` (the
contract), ``tables`` and ``table`` (live matches), ``store`` (the log).
"""
