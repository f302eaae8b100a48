"""What holds for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# No test is timed: a busy machine must not fail one. CI tries the same examples each time, so that a change is
# judged by itself; everywhere else each run looks at new ones.
settings.register_profile("kupa", deadline=None, print_blob=True)
settings.register_profile("ci", settings.get_profile("kupa"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "kupa")
