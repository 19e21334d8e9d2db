"""`python -m scripts.lab FOLDER PIN`: an environment with another JupyterLab and this project's wheel, for the browser suite."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main(folder: Path, pin: str) -> int:
    """Made anew when the pin or anything that goes into the wheel changed."""
    watched = [ROOT / "pyproject.toml", *(p for p in sorted((ROOT / "hpgov_jlab").rglob("*")) if "__pycache__" not in p.parts)]
    digest = hashlib.sha256(pin.encode())
    for path in watched:
        if path.is_file():
            digest.update(path.read_bytes())
    stamp = folder / ".stamp"
    if stamp.exists() and stamp.read_text() == digest.hexdigest():
        print("up to date")
        return 0
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, str(ROOT)], check=True)
        wheel = next(Path(out).glob("*.whl"))
        subprocess.run([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", pin, "cryptography", str(wheel)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--force-reinstall", "--no-deps", str(wheel)], check=True)
    stamp.write_text(digest.hexdigest())
    print("made")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
