"""``python -m kupa.referee``: the referee over standard input and output."""

from __future__ import annotations

import sys

from kupa.referee.loop import main

if __name__ == "__main__":
    sys.exit(main(sys.stdin.buffer, sys.stdout.buffer))
