"""Builds kube-apiserver, scheduler, controller-manager, etcd, kwok and two Kueues from the Go modules in `modules/`, into a cache folder.

The folder is named after the hash of what it is built from (every go.mod and go.sum, and this file), so a changed version never meets an old binary and an
unchanged one is never built twice. It is filled under another name and renamed at the end: a folder that exists is complete.
Only the standard library is used, because this runs on machines that have nothing but Python and Go.

Kueue 0.19.2 is what HyperPod's task governance add-on 1.6 runs; 0.12.10 stands for older clusters (v1beta1 only). facts: kubernetes page 4.3.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

MODULES = Path(__file__).resolve().parent / "modules"
KUEUES = ("0.19.2", "0.12.10")
SERVERS = ("kube-apiserver", "kube-scheduler", "kube-controller-manager")
COLD_MINUTES = 16  # on two cores with empty caches; about 15 seconds when Go's caches are warm

# Kueue reads its metrics certificate from a fixed folder below /etc and ends without it. One line of one file is changed, in a copy: a module
# cache is read-only, and `go build -overlay` refuses files below it.
METRICS_LINE = 'metricsCertPath := "/etc/kueue/metrics/certs"'
METRICS_INSTEAD = "metricsCertPath := cfg.Webhook.CertDir"
# of Kueue's source only what is needed to install it: definitions, roles, webhook manifests
KUEUE_KEPT = ("crd/bases", "crd/kustomization.yaml", "rbac", "webhook/manifests.yaml")


class NotBuilt(RuntimeError):
    """The binaries are not there, or cannot be built on this machine. The message says what is missing, in words for a person."""


@dataclass(frozen=True)
class Step:
    title: str
    minutes: float  # measured cold on two cores
    run: Callable[[Path], None]


def cache_root() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hpgov-jlab" / "testbed"


def recipe_hash() -> str:
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for file in sorted(MODULES.glob("*/go.*")):
        digest.update(f"{file.relative_to(MODULES)}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def folder() -> Path:
    """Where the binaries are, or would be. `HPGOV_TESTBED` names a folder that was built elsewhere (a CI cache, a shared machine)."""
    named = os.environ.get("HPGOV_TESTBED")
    return Path(named) if named else cache_root() / recipe_hash()


def find() -> Path:
    """The folder with the binaries. Raises NotBuilt with the command that makes it."""
    out = folder()
    if (out / "built.json").is_file():
        return out
    if shutil.which("go") is None:
        raise NotBuilt(f"the real Kubernetes is not built ({out} is missing) and Go is not installed; with Go 1.26 or newer run: python -m tests.testbed build")
    raise NotBuilt(f"the real Kubernetes is not built yet ({out} is missing); run: python -m tests.testbed build (about {COLD_MINUTES} minutes once)")


def go(*args: str, cwd: Path) -> str:
    done = subprocess.run(["go", *args], cwd=cwd, capture_output=True, text=True, env={**os.environ, "GOFLAGS": "-buildvcs=false", "GOWORK": "off"})
    if done.returncode != 0:
        raise NotBuilt(f"go {' '.join(args)} in {cwd} ended with {done.returncode}:\n{done.stderr[-4000:]}")
    return done.stdout.strip()


def module_dir(module: str, cwd: Path) -> Path:
    return Path(go("list", "-m", "-f", "{{.Dir}}", module, cwd=cwd))


def copy(source: Path, target: Path) -> None:
    """Copies a file or a folder out of the module cache and makes it writable, so that the result can be removed again."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copyfile(source, target)
    for path in (target, *target.rglob("*")) if target.is_dir() else (target,):
        path.chmod(path.stat().st_mode | 0o200)


def workspace(out: Path, name: str) -> Path:
    """A writable copy of one of the committed module folders: Go may want to touch go.sum, and the tree must stay as committed."""
    work = out / ".build" / name
    if not work.exists():
        copy(MODULES / name, work)
    return work


def build_server(out: Path, program: str) -> None:
    work = workspace(out, "kubernetes")
    version = go("list", "-m", "-f", "{{.Version}}", "k8s.io/kubernetes", cwd=work)
    stamp = "k8s.io/component-base/version"  # Kueue asks the server for its version and refuses the "master" of an unstamped build
    flags = f"-s -w -X {stamp}.gitVersion={version} -X {stamp}.gitMajor=1 -X {stamp}.gitMinor={version.split('.')[1]}"
    go("build", "-trimpath", f"-ldflags={flags}", "-o", str(out / "bin" / program), f"k8s.io/kubernetes/cmd/{program}", cwd=work)


def build_etcd(out: Path) -> None:
    go("build", "-trimpath", "-ldflags=-s -w", "-o", str(out / "bin/etcd"), "go.etcd.io/etcd/server/v3", cwd=workspace(out, "kubernetes"))


def build_kueue(out: Path, version: str) -> None:
    work, target = workspace(out, f"kueue-{version}"), out / f"kueue-{version}"
    go("mod", "download", "sigs.k8s.io/kueue", cwd=work)
    source = work / "source"
    copy(module_dir("sigs.k8s.io/kueue", work), source)
    main = source / "cmd/kueue/main.go"
    text = main.read_text()
    if METRICS_LINE not in text:
        raise NotBuilt(f"Kueue {version} no longer has the line that reads the metrics certificate; look at {main.name} and mend tests/testbed/build.py")
    main.write_text(text.replace(METRICS_LINE, METRICS_INSTEAD))
    go("mod", "edit", "-replace", f"sigs.k8s.io/kueue={source}", cwd=work)
    go(
        "build",
        "-trimpath",
        "-ldflags=-s -w -X sigs.k8s.io/kueue/pkg/visibility.certDir=webhook",
        "-o",
        str(target / "kueue"),
        "sigs.k8s.io/kueue/cmd/kueue",
        cwd=work,
    )
    for part in KUEUE_KEPT:
        copy(source / "config/components" / part, target / part)
    if version == KUEUES[0]:  # the task kinds' definitions come from the versions that this Kueue is built with
        definitions(out, work)


def definitions(out: Path, work: Path) -> None:
    jobset, ray = module_dir("sigs.k8s.io/jobset", work), module_dir("github.com/ray-project/kuberay/ray-operator", work)
    training, mpi = module_dir("github.com/kubeflow/training-operator", work), module_dir("github.com/kubeflow/mpi-operator", work)
    for file in (
        jobset / "config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml",
        *(ray / f"config/crd/bases/ray.io_ray{k}.yaml" for k in ("clusters", "jobs")),
        *(training / f"manifests/base/crds/kubeflow.org_{k}jobs.yaml" for k in ("pytorch", "tf", "xgboost")),
        mpi / "manifests/base/kubeflow.org_mpijobs.yaml",
    ):
        copy(file, out / "crds" / file.name)


def build_kwok(out: Path) -> None:
    work = workspace(out, "kwok")
    go("build", "-trimpath", "-ldflags=-s -w", "-o", str(out / "bin/kwok"), "sigs.k8s.io/kwok/cmd/kwok", cwd=work)
    stages = module_dir("sigs.k8s.io/kwok", work) / "kustomize/stage"
    # not pod-complete: it ends every Job's pod at once, and a story needs pods that run until it says otherwise
    for stage in ("node/fast/node-initialize", "node/heartbeat-with-lease/node-heartbeat-with-lease", "pod/fast/pod-ready", "pod/fast/pod-delete"):
        copy(stages / f"{stage}.yaml", out / "stages" / f"{stage.rsplit('/', 1)[1]}.yaml")


STEPS = (
    *(Step(f"{p} (Kubernetes)", m, lambda out, p=p: build_server(out, p)) for p, m in zip(SERVERS, (7.0, 0.7, 0.7), strict=True)),  # type: ignore[misc]
    Step("etcd", 0.2, build_etcd),
    *(Step(f"Kueue {v}", m, lambda out, v=v: build_kueue(out, v)) for v, m in zip(KUEUES, (3.8, 3.2), strict=True)),  # type: ignore[misc]
    Step("kwok, for fake nodes", 1.2, build_kwok),
)


@contextmanager
def only_one(lock: Path, say: Callable[[str], None]) -> Iterator[None]:
    """Two test runs that start together build once: the second waits for the first. The lock goes with the process, however it ends."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with open(lock, "w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another build of the same thing is running; waiting for it")
            fcntl.flock(held, fcntl.LOCK_EX)
        yield


def build(say: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True)) -> Path:
    """Builds what is missing and returns the folder. Returns at once if it is there. Raises NotBuilt with the reason."""
    out = folder()
    if (out / "built.json").is_file():
        return out
    if shutil.which("go") is None:
        raise NotBuilt("Go is not installed (1.26 or newer is needed to build the real Kubernetes)")
    with only_one(out.with_suffix(".lock"), say):
        if (out / "built.json").is_file():
            return out
        for left_behind in out.parent.glob(f"{out.name}.unfinished-*"):  # of a build that was killed; we hold the lock, so nobody fills it
            shutil.rmtree(left_behind, ignore_errors=True)
        begin = time.monotonic()
        say(f"building a real Kubernetes with Kueue into {out}: about {COLD_MINUTES} minutes the first time on two cores, seconds when Go's caches are warm")
        # beside the target, so that the rename at the end stays on one file system
        unfinished = Path(tempfile.mkdtemp(prefix=f"{out.name}.unfinished-", dir=out.parent))
        try:
            (unfinished / "bin").mkdir()
            left = sum(s.minutes for s in STEPS)
            seconds = {}
            for number, step in enumerate(STEPS, 1):
                say(f"  {number} of {len(STEPS)}: {step.title}: up to {step.minutes:g} min; {left:.0f} min left at most")
                started = time.monotonic()
                step.run(unfinished)
                seconds[step.title] = round(time.monotonic() - started, 1)
                left -= step.minutes
            shutil.rmtree(unfinished / ".build")  # holds module files with this machine's paths
            (unfinished / "built.json").write_text(json.dumps({"kueue": KUEUES, "go": go("env", "GOVERSION", cwd=unfinished), "seconds": seconds}, indent=1))
            if out.exists():  # without built.json: left behind by something that was not this program
                shutil.rmtree(out)
            unfinished.rename(out)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        say(f"built in {time.monotonic() - begin:.0f} s: {out}")
    return out
