"""The simulator: the rules of Hearts compiled, whole rounds played by the thousand, worlds sampled.

The only part that imports Numba; it comes with ``pip install 'kupa[sim]'``.
"""
