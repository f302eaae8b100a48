"""Players that are programs. A bot is shown what its seat may know, and nothing else."""
