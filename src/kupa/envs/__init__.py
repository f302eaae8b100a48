"""Environments for learning; they come with ``pip install 'kupa[envs]'``."""
