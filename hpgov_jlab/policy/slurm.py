"""The allow list of Slurm: every client command by the shape of its argv, and every path of slurmrestd (S2, facts/slurm.md 3, 5).

One table. The guard enforces it on the argv and the request line as sent; the Access tab is made from it. There is no scancel, sbatch, srun, salloc and
no `scontrol update` in it, so none can be built. `sbatch --test-only` is not in it either: it uses up job ids and misses half (facts/slurm.md 4).
Never read: sdiag and /diag (every user's name), /jobs/state, /config (facts/slurm.md 2).
"""

from __future__ import annotations

from dataclasses import dataclass

VALUE = r"[A-Za-z0-9_.][A-Za-z0-9_.-]{0,63}"
"""What a value has to match whole, wherever it goes."""
NONCE = r"x[0-9a-f]{16}"
"""Made anew for every call: no user could write it into a job beforehand. It begins with a letter, since squeue takes digits after a field for its width
(and crashes on large ones)."""

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Shape:
    """One command. In `args`, {user}, {account} and {qos} stand for values, {row} and {field} for the nonces; everything else is sent as it stands.

    `since`: first client version that has it in this form. `limit_bytes`, `limit_seconds`: of one call. `read` and `purposes` are codes of words.py.
    `database`: served by slurmdbd, which fails by itself.
    """

    id: str
    binary: str
    args: tuple[str, ...]
    read: str
    purposes: tuple[str, ...]
    since: tuple[int, int] | None = None
    limit_bytes: int = 8 * MIB
    limit_seconds: float = 10.0
    database: bool = False

    @property
    def source(self) -> str:
        """As people say it: `squeue`, `scontrol show config`."""
        words = [a for a in self.args if not a.startswith("-") and "=" not in a]
        return " ".join([self.binary, *words])


def _columns(*names: str, free: str | None = None) -> str:
    """squeue's --Format: it takes literal text only after a field, so the row's nonce follows one that is 0 or 1, and nothing stands before that."""
    return "--Format=" + ",".join(["BatchFlag:0{row}", *(f"{name}:0{{field}}" for name in names), f"{free}:0{{field}}" if free else "BatchFlag:0"])


JOB_COLUMNS = (
    "JobArrayID", "UserName", "Account", "QOS", "Partition", "State", "NumNodes", "tres-alloc", "PriorityLong", "SubmitTime", "EligibleTime", "StartTime",
    "EndTime", "TimeLimit", "restartcnt", "exit_code", "Reservation", "Reason",
)  # fmt: skip
"""Columns of jobs of one user or one account; the job's name, which its owner writes, comes after them."""
QUEUE_COLUMNS = ("Account", "Partition", "State", "NumNodes", "tres-alloc")
"""Columns of the whole queue: none that a user can write."""
HISTORY_FIELDS = (
    "jobid", "user", "account", "qos", "partition", "state", "exitcode", "submit", "start", "end", "elapsedraw", "timelimitraw", "nnodes", "reqtres",
    "alloctres", "reason", "jobname",
)  # fmt: skip
ASSOCIATION_FIELDS = (
    "account", "user", "partition", "parentname", "share", "grptres", "grpjobs", "grpsubmit", "maxtres", "maxtrespernode", "maxjobs", "maxsubmit", "maxwall",
    "qos", "defaultqos",
)  # fmt: skip
QOS_FIELDS = (
    "name", "priority", "flags", "grptres", "grpjobs", "grpsubmit", "maxtres", "maxtrespernode", "maxwall", "maxtrespu", "maxjobspu", "maxsubmitpu",
    "maxtrespa", "maxjobspa", "maxsubmitpa", "preempt", "preemptmode", "usagefactor",
)  # fmt: skip
SHARE_FIELDS = ("account", "user", "rawshares", "normshares", "effectvusage", "fairshare", "levelfs")

_JOBS = _columns(*JOB_COLUMNS, free="Name")

VERSION = Shape("version", "squeue", ("--version",), "read_slurm_version", ("needed_slurm_version",), limit_bytes=4096, limit_seconds=5.0)
PING = Shape("ping", "scontrol", ("ping",), "read_slurm_controller", ("needed_cluster_state",), limit_bytes=64 * 1024)
CONFIG = Shape("config", "scontrol", ("show", "config"), "read_slurm_config", ("needed_slurm_enforced",), limit_bytes=MIB)
QUEUE = Shape(
    "queue", "squeue", ("--noheader", "--states=all", _columns(*QUEUE_COLUMNS)), "read_slurm_queue", ("needed_slurm_queue",), limit_bytes=32 * MIB,
)  # fmt: skip
OWN_JOBS = Shape(
    "own_jobs", "squeue", ("--noheader", "--all", "--states=all", "--user={user}", _JOBS), "read_slurm_own_jobs", ("needed_tasks",), limit_bytes=16 * MIB
)
"""With --all, since without it squeue keeps a person's own jobs from her if their partition is hidden (22.05.8, 24.11.5, measured). Of others' jobs it is
not asked: what an administrator hides stays hidden. By squeue's manual it also brings jobs that a federation took back (REVOKED), which are told as that."""
OWN_JOBS_JSON = Shape(
    "own_jobs_json", "squeue", ("--all", "--states=all", "--user={user}", "--json"), "read_slurm_own_jobs", ("needed_tasks",),
    since=(24, 11), limit_bytes=24 * MIB, limit_seconds=6.0,
)  # fmt: skip
"""24.11 honours the filters (measured); 22.05 does not and gives every visible job in all states, and in between nobody has looked."""
TEAM_JOBS = Shape(
    "team_jobs", "squeue", ("--noheader", "--states=all", "--account={account}", _JOBS), "read_slurm_team_jobs", ("needed_tasks", "needed_share_holders"),
    limit_bytes=32 * MIB,
)  # fmt: skip
HISTORY = Shape(
    "history", "sacct",
    ("--allocations", "--user={user}", "--starttime=now-24hours", "--parsable2", "--noheader", "--duplicates", "--delimiter={field}",
     "--format=" + ",".join(HISTORY_FIELDS)),
    "read_slurm_history", ("needed_task_page",), limit_bytes=16 * MIB, limit_seconds=15.0, database=True,
)  # fmt: skip
_SACCTMGR = ("--readonly", "--noheader", "--parsable2", "show")
ASSOCIATIONS = Shape(
    "associations", "sacctmgr", (*_SACCTMGR, "associations", "user={user}", "format=" + ",".join(ASSOCIATION_FIELDS)),
    "read_slurm_associations", ("needed_share", "needed_slurm_accounts"), limit_bytes=4 * MIB, database=True,
)  # fmt: skip
ACCOUNT = Shape(
    "account", "sacctmgr", (*_SACCTMGR, "associations", "user=", "account={account}", "format=" + ",".join(ASSOCIATION_FIELDS)),
    "read_slurm_account", ("needed_share",), limit_bytes=MIB, database=True,
)  # fmt: skip
QOS = Shape(
    "qos", "sacctmgr", (*_SACCTMGR, "qos", "format=" + ",".join(QOS_FIELDS)), "read_slurm_qos", ("needed_share",), limit_bytes=4 * MIB, database=True,
)  # fmt: skip
USAGE = Shape("usage", "scontrol", ("show", "assoc_mgr", "flags=assoc"), "read_slurm_usage", ("needed_share",), limit_bytes=48 * MIB, limit_seconds=15.0)
QOS_USAGE = Shape("qos_usage", "scontrol", ("show", "assoc_mgr", "flags=qos"), "read_slurm_usage", ("needed_share",), limit_bytes=48 * MIB, limit_seconds=15.0)
SHARES = Shape(
    "shares", "sshare", ("--noheader", "--parsable2", "--users={user}", "--format=" + ",".join(SHARE_FIELDS)), "read_slurm_shares", ("needed_slurm_fairshare",)
)
PARTITIONS = Shape("partitions", "scontrol", ("show", "partition"), "read_slurm_partitions", ("needed_slurm_where",))
RESERVATIONS = Shape("reservations", "scontrol", ("show", "reservation"), "read_slurm_reservations", ("needed_slurm_reservations",))
NODES = Shape("nodes", "scontrol", ("show", "node"), "read_slurm_nodes", ("needed_nodes",), limit_bytes=32 * MIB)

COMMANDS: tuple[Shape, ...] = (
    VERSION, PING, CONFIG, QUEUE, OWN_JOBS, OWN_JOBS_JSON, TEAM_JOBS, HISTORY, ASSOCIATIONS, ACCOUNT, QOS, USAGE, QOS_USAGE, SHARES, PARTITIONS,
    RESERVATIONS, NODES,
)  # fmt: skip
BINARIES: tuple[str, ...] = ("squeue", "scontrol", "sacct", "sacctmgr", "sshare")

CONFIG_LINES: tuple[str, ...] = (
    "ClusterName", "SLURM_VERSION", "AccountingStorageType", "AccountingStorageEnforce", "EnforcePartLimits", "PriorityType", "PriorityWeightAge",
    "PriorityWeightAssoc", "PriorityWeightFairShare", "PriorityWeightJobSize", "PriorityWeightPartition", "PriorityWeightQOS", "PriorityWeightTRES",
    "PreemptType", "PreemptMode", "PrivateData", "SchedulerType", "SchedulerParameters", "SlurmUser",
)  # fmt: skip
"""The only lines of `scontrol show config` that are kept: it holds paths, key files and hosts, too."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One GET of slurmrestd: /{family}/{version}/{name}. `query` is fixed but for {user}; `versions` None: every one."""

    id: str
    family: str  # slurm or slurmdb
    name: str
    read: str
    purposes: tuple[str, ...]
    query: tuple[tuple[str, str], ...] = ()
    limit_bytes: int = 8 * MIB
    versions: tuple[str, ...] | None = None

    @property
    def source(self) -> str:
        return f"GET /{self.family}/{self.name}"

    @property
    def database(self) -> bool:
        return self.family == "slurmdb"


NEWER = ("v0.0.40", "v0.0.41", "v0.0.42")
VERSIONS: tuple[str, ...] = ("v0.0.42", "v0.0.41", "v0.0.40", "v0.0.38")
"""data_parser versions whose shape we know, the preferred first."""
UNKNOWN_NEWER: tuple[str, ...] = ("v0.0.43", "v0.0.44", "v0.0.45", "v0.0.46")
"""Tried last, read as the newest that we know, which is then said. Slurm keeps about three at a time (facts/slurm.md 9)."""

REST_PING = Endpoint("rest_ping", "slurm", "ping", "read_slurm_controller", ("needed_cluster_state",), limit_bytes=MIB)
REST_JOBS = Endpoint("rest_jobs", "slurm", "jobs", "read_slurm_team_jobs", ("needed_tasks", "needed_share_holders"), limit_bytes=48 * MIB)
REST_HISTORY = Endpoint(
    "rest_history", "slurmdb", "jobs", "read_slurm_history", ("needed_task_page",), (("users", "{user}"), ("start_time", "now-24hours")),
    limit_bytes=32 * MIB, versions=NEWER,
)  # fmt: skip
REST_HISTORY_38 = Endpoint(
    "rest_history_38",
    "slurmdb",
    "jobs",
    "read_slurm_history",
    ("needed_task_page",),
    (("start_time", "now-24hours"),),
    limit_bytes=32 * MIB,
    versions=("v0.0.38",),
)
"""22.05 refuses users= with an error."""
REST_ASSOCIATIONS = Endpoint(
    "rest_associations", "slurmdb", "associations", "read_slurm_associations", ("needed_share", "needed_slurm_accounts"), (("user", "{user}"),)
)
REST_QOS = Endpoint("rest_qos", "slurmdb", "qos", "read_slurm_qos", ("needed_share",))
REST_SHARES = Endpoint("rest_shares", "slurm", "shares", "read_slurm_shares", ("needed_slurm_fairshare",), (("users", "{user}"),), versions=NEWER)
REST_PARTITIONS = Endpoint("rest_partitions", "slurm", "partitions", "read_slurm_partitions", ("needed_slurm_where", "needed_slurm_queue", "needed_nodes"))
"""Jobs and nodes of hidden partitions come with /jobs and /nodes; which partitions are hidden is told here alone."""
REST_RESERVATIONS = Endpoint("rest_reservations", "slurm", "reservations", "read_slurm_reservations", ("needed_slurm_reservations",))
REST_NODES = Endpoint("rest_nodes", "slurm", "nodes", "read_slurm_nodes", ("needed_nodes",), limit_bytes=32 * MIB)

ENDPOINTS: tuple[Endpoint, ...] = (
    REST_PING, REST_JOBS, REST_HISTORY, REST_HISTORY_38, REST_ASSOCIATIONS, REST_QOS, REST_SHARES, REST_PARTITIONS, REST_RESERVATIONS, REST_NODES,
)  # fmt: skip
