"""`python -m scripts.wheel`: builds the wheel and holds what a stranger gets: files, no machine's path, the SageMaker Distribution's pins unmoved.

The pins are those of facts the project was built on (image lines v4.4.1, v3.9.10 and v2.14.10 of aws/sagemaker-distribution): they are resolved together
with the wheel, so that pip itself says whether one would have to move.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IMAGES: dict[str, dict[str, str]] = {
    "v4.4.1 (and v2.14.10, whose pins are among these)": {
        "jupyterlab": "4.5.10",
        "jupyter_server": "2.20.0",
        "boto3": "1.43.56",
        "aiobotocore": "3.9.0",
        "tornado": "6.5.8",
        "traitlets": "5.16.1",
        "pydantic": "2.13.4",
        "jupyter_events": "0.12.1",
    },
    "v3.9.10": {"jupyterlab": "4.4.10", "jupyter_server": "2.20.0"},
    "floor": {"jupyterlab": "4.4.0", "jupyter_server": "2.15.0", "boto3": "1.42.0"},
}
NEEDED = (
    "hpgov_jlab/app.py",
    "hpgov_jlab/sandbox/recordings/story.json",
    "hpgov_jlab/wire/api.schema.json",
    "hpgov_jlab/locale/pt_BR/LC_MESSAGES/hpgov_jlab.json",
    "hpgov_jlab/locale/zh_CN/LC_MESSAGES/hpgov_jlab.json",
    "share/jupyter/labextensions/hpgov-jlab/package.json",
    "share/jupyter/labextensions/hpgov-jlab/install.json",
    "etc/jupyter/jupyter_server_config.d/hpgov_jlab.json",
)
LEFT_OUT = ("tests/", "bench/", "ui-tests/", "node_modules/", "scripts/")


def contents(wheel: Path) -> list[str]:
    """What is wrong with the wheel's files; nothing if all is well."""
    wrong = []
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        wrong += [f"lacks {n}" for n in NEEDED if not any(have == n or have.endswith("/" + n) for have in names)]
        wrong += [f"holds {n}" for n in names if n.startswith(LEFT_OUT)]
        here = re.compile(re.escape(str(ROOT)).encode() + rb"|/root/(?!\.ssh\b)|/home/[a-z]")  # /root/.ssh is the MPI operator's own default
        wrong += [f"{n} names a machine's path" for n in names if here.search(archive.read(n))]
    return wrong


def resolve(wheel: Path, pins: dict[str, str]) -> list[str]:
    """The pins that would move if the wheel were installed next to them."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--dry-run",
            "--ignore-installed",
            "--disable-pip-version-check",
            "--report",
            str(report),
            str(wheel),
        ]
        run = subprocess.run([*command, *(f"{name}=={version}" for name, version in pins.items())], capture_output=True, text=True, check=False)
        if run.returncode:
            return [line for line in run.stderr.splitlines() if "ERROR" in line or "requires" in line][-6:]
        got = {item["metadata"]["name"].lower().replace("-", "_"): item["metadata"]["version"] for item in json.loads(report.read_text())["install"]}
        return [f"{name}: {version} became {got.get(name)}" for name, version in pins.items() if got.get(name) != version]


def main() -> int:
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, str(ROOT)], check=True, stdout=subprocess.DEVNULL)
        wheel = next(Path(out).glob("*.whl"))
        wrong = contents(wheel)
        print(f"{wheel.name}: {wheel.stat().st_size // 1024} KiB")
        for image, pins in IMAGES.items():
            moved = resolve(wheel, pins)
            print(f"next to {image} ({', '.join(f'{n} {v}' for n, v in pins.items())}): " + ("no pin moves" if not moved else "; ".join(moved)))
            wrong += moved
    for line in wrong:
        print("wrong:", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
