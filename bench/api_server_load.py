"""What panels cost the API server of a real cluster (Kueue 0.19.2), by its own audit log and its own processor time.

First a real Jupyter server each, at once, told apart by whose token it uses: with a visible panel, with a panel and a dashboard, with a panel that was open
and is hidden now, and one that nobody has opened. Then 50 people's servers on that one API server: 50 product services with a cache, a token and
connections of their own in five processes (50 Jupyter processes would measure this machine's memory), asked as visible panels ask, at moments of their own;
first the panels, then a dashboard beside each. Peer: the same API server without them, while the same look is taken 20 times a second.

Each person's team has 20 tasks; five people share a team. Latency is that look's: one team's Workloads, as an administrator sees them from this machine, so
it holds what the panels' own processes take of the processors.
"""

from __future__ import annotations

import datetime
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import requests

from tests.testbed import tasks
from tests.testbed.audit import Request
from tests.testbed.hands import Hands
from tests.testbed.hyperpod import HyperPod, Team
from tests.testbed.rig import ADMIN
from tests.testbed.tasks import template

from .feeds import PANEL, Feeds, dashboard
from .measure import Report, percentile
from .open_panels import OpenPanels
from .real_cluster import AGENT, ID, cpu_seconds, environment, member, real_cluster, sign_in, watched_team
from .servers import JupyterServer
from .tab import TAB_LIMIT

TEAMS, PEOPLE, PROCESSES, TASKS = 10, 50, 5, 20
WINDOW = 120.0
"""Seconds of one measurement: four polls, eight times to live of a list."""
ONE_WINDOW = 240.0
"""The same for one server of each kind: of a single one a poll more or less at the edges would be seen."""
LOOK_EVERY = 0.05
SERVERS = ("kube-apiserver", "etcd", "kueue")


def _at(request: Request) -> float:
    return datetime.datetime.fromisoformat(request.at).timestamp()


def _user(name: str) -> str:
    return name.replace(" ", "-")


def _ours(cluster: HyperPod, begin: float, end: float) -> list[Request]:
    return [r for r in cluster.audit() if r.user_agent.startswith(AGENT) and begin <= _at(r) < end]


def _what(request: Request) -> str:
    resource = request.resource + (f"/{request.subresource}" if request.subresource else "")
    return f"{request.verb} {resource or request.uri.partition('?')[0]}"


@dataclass
class Window:
    """What one stretch of time cost. Latencies in ms, processor time in cores."""

    requests: float  # ours per minute
    latencies: list[float]
    cores: dict[str, float]
    kinds: Counter[str] = field(default_factory=Counter)


def _look(cluster: HyperPod, team: Team, seconds: float) -> Window:
    """The same small read, at fixed moments."""
    http = requests.Session()
    http.trust_env, http.verify = False, str(cluster.ca_file)
    url = cluster.url + cluster.kueue_path("workloads", team.namespace)
    begin, used = time.time(), {name: cpu_seconds(cluster.servers.pid(name)) for name in SERVERS}
    found: list[float] = []
    due, over = time.monotonic(), time.monotonic() + seconds
    while due < over:
        time.sleep(max(0.0, due - time.monotonic()))
        asked = time.perf_counter()
        http.get(url, headers={"Authorization": f"Bearer {ADMIN}"}, timeout=30).raise_for_status()
        found.append((time.perf_counter() - asked) * 1000)
        due = max(due + LOOK_EVERY, time.monotonic())
    end = time.time()
    cores = {name: (cpu_seconds(cluster.servers.pid(name)) - was) / (end - begin) for name, was in used.items()}
    ours = _ours(cluster, begin, end)
    http.close()
    return Window(len(ours) / (end - begin) * 60, found, cores, Counter(map(_what, ours)))


def _prepare(cluster: HyperPod) -> list[Team]:
    hands, teams = Hands(cluster), [watched_team(cluster, f"team-{number}", 2) for number in range(TEAMS)]
    for team in teams:
        for number in range(TASKS):  # 16 devices each: some wait
            hands.submit(tasks.job(team, f"task-{number}", 1, template(1, "1", "1Gi")))
    cluster.until(lambda: all(len(cluster.workloads(t.namespace)) == TASKS for t in teams), "every task has its Workload", 120)
    return teams


def _one_each(cluster: HyperPod, team: Team, folder: Path, report: Report) -> dict[str, float]:
    """Requests per minute of each kind of server."""
    names = ("visible panel", "visible panel and dashboard", "hidden panel", "idle server")
    with ExitStack() as stack:
        servers: dict[str, JupyterServer] = {}
        for name in names:
            traits = sign_in(cluster, member(cluster, _user(name), team), folder / _user(name), team)
            servers[name] = stack.enter_context(JupyterServer({"hpgov_jlab": True}, environment(), {"HpgovSettings": traits}))
        for server in servers.values():
            server.until_up()
        open_ = [Feeds(servers["visible panel"], PANEL), Feeds(servers["visible panel and dashboard"], PANEL)]
        open_.append(Feeds(servers["visible panel and dashboard"], dashboard(ID, TAB_LIMIT), after=open_[1]))
        with Feeds(servers["hidden panel"], PANEL) as hidden:
            hidden.until_settled()
        for feeds in open_:
            stack.enter_context(feeds).until_settled()
        begin = time.time()
        time.sleep(ONE_WINDOW)
        end = time.time()
        for feeds in open_:
            feeds.check()
    seen = _ours(cluster, begin, end)
    for name in names:
        report.detail[name] = dict(Counter(_what(r) for r in seen if r.user == _user(name)))
        if not any(r.user == _user(name) for r in cluster.audit()) and name != "idle server":
            raise RuntimeError(f"not measured: the {name} never asked anything")
    return {name: sum(r.user == _user(name) for r in seen) / (end - begin) * 60 for name in names}


def _fifty(cluster: HyperPod, teams: Sequence[Team], folder: Path, look: Callable[[], Window]) -> dict[str, Window]:
    settings, folders = [], []
    for number in range(PEOPLE):
        team, home = teams[number % TEAMS], folder / f"person-{number}"
        settings.append(sign_in(cluster, member(cluster, f"person-{number}", team), home, team))
        folders.append(home)
    found = {"without": look()}
    each = PEOPLE // PROCESSES
    processes = [OpenPanels(settings[n : n + each], folders[n : n + each], n) for n in range(0, PEOPLE, each)]
    try:
        _all_settled(processes)
        found["50 visible panels"] = look()
        for process in processes:
            process.dashboards()
        _all_settled(processes)
        found["50 visible panels and dashboards"] = look()
    finally:
        for process in processes:
            process.close()
    return found


def _all_settled(processes: Sequence[OpenPanels]) -> None:
    for process in processes:
        process.settled()


def run(repetitions: int) -> Report:
    """One window each, whatever the repetitions: what varies from window to window is the machine."""
    report = Report("api-server-load")
    with real_cluster() as cluster, tempfile.TemporaryDirectory(prefix="hpgov-bench-") as folder:
        teams = _prepare(cluster)
        single = _one_each(cluster, teams[0], Path(folder), report)
        many = _fifty(cluster, teams, Path(folder), lambda: _look(cluster, teams[0], WINDOW))
    for name, rate in single.items():
        report.add(f"one {name}: requests", "per minute", [rate])
    panel = "one visible panel: requests"
    for name, window in many.items():
        if name == "without":
            continue
        one = panel if name == "50 visible panels" else "one visible panel and dashboard: requests"
        report.add(f"{name}: requests per server", "per minute", [window.requests / PEOPLE], one)
        report.add(f"{name}: requests", "per minute", [window.requests])
        report.detail[name] = dict(window.kinds)
    for name, window in many.items():
        peer = None if name == "without" else "without"
        report.add(f"{name}: a look, p50", "ms", [percentile(window.latencies, 0.5)], peer and f"{peer}: a look, p50")
        report.add(f"{name}: a look, p99", "ms", [percentile(window.latencies, 0.99)], peer and f"{peer}: a look, p99")
        for server, cores in window.cores.items():
            report.add(f"{name}: {server}", "% of a core", [cores * 100], peer and f"{peer}: {server}")
    report.limit("requests while the panel is hidden", single["hidden panel"], 0, "per minute")
    report.limit("requests of a server that nobody opened", single["idle server"], 0, "per minute")
    report.notes.append(
        f"Windows of {WINDOW:g} s, of {ONE_WINDOW:g} s for one server each. {PEOPLE} services in {PROCESSES} processes on this machine, "
        "whose processors they share with the API server."
    )
    return report
