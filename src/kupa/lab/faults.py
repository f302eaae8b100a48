"""What can go wrong in the laboratory, each with a stable code; its sentence is in ``locale/*/lab.po``."""

from __future__ import annotations


class LabError(Exception):
    """Something that was asked of the laboratory cannot be done.

    Args:
        code: the stable code.
        params: what its sentence names.
    """

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.params = params
