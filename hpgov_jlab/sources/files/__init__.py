"""Files on this machine: the project's contract folder and the platform file. Nothing here runs git or follows a symlink."""
