"""Stand-in for Slurm's client commands, run as squeue, scontrol, sacct, sacctmgr or sshare. Prints what the real ones of 24.11 print, from state.json.

Copied beside state.json by `install`, and run by nothing but the product's own command runner: it imports the standard library only and nothing of
this product. It answers the product's own commands; anything else it refuses, as the real ones refuse what they don't know. Longer than 400 lines would
be a second Slurm: what is not printed here is not in the sandbox.
"""

import json
import os
import pwd
import sys
import time
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
Thing = dict[str, Any]
DATABASE = ("sacct", "sacctmgr")
STARTED = ("RUNNING", "COMPLETING", "SUSPENDED", "CONFIGURING")


def main() -> int:
    program, args = os.path.basename(sys.argv[0]), sys.argv[1:]
    with open(os.path.join(HERE, "state.json"), encoding="utf-8") as file:
        state = json.load(file)
    me = pwd.getpwuid(os.getuid()).pw_name
    for thing in (*state["jobs"], *state["users"]):
        key = "user" if "user" in thing else "name"
        if thing[key] == "@me":
            thing[key] = me
    with open(os.path.join(HERE, "argv.log"), "a", encoding="utf-8") as file:  # what a far end writes down, for those who look what was asked
        file.write(json.dumps([program, *args]) + "\n")
    if args == ["--version"]:
        print(f"slurm-wlm {state['release']}")
        return 0
    trouble = faults()
    code = fail(program, args, trouble)
    if code is not None:
        return code
    state["unknown_user"] = "no-association" in trouble
    if state["unknown_user"]:
        state["users"] = [u for u in state["users"] if u["name"] != me]
    return {"squeue": squeue, "scontrol": scontrol, "sacct": sacct, "sacctmgr": sacctmgr, "sshare": sshare}[program](args, state, me)


def faults() -> dict[str, str]:
    try:
        with open(os.path.join(HERE, "faults"), encoding="utf-8") as file:
            return dict(line.strip().partition("=")[::2] for line in file if line.strip())
    except FileNotFoundError:
        return {}


def fail(program: str, args: list[str], trouble: dict[str, str]) -> int | None:
    """What the real ones say and how they end when something is down (facts/slurm.md 1, 2, 6)."""
    err = sys.stderr
    if "slow" in trouble:
        time.sleep(float(trouble["slow"] or 5))
    if "hang" in trouble:
        time.sleep(3600)
    if "conf-missing" in trouble:
        print(f"{program}: error: fetch_config: DNS SRV lookup failed\n{program}: fatal: Could not establish a configuration source", file=err)
        return 1
    if "version-mismatch" in trouble:
        if args == ["ping"]:
            print("Slurmctld(primary) at controller is DOWN")
            return 1
        print(f"{program}: error: slurm_receive_msg: Incompatible versions of client and server code", file=err)
        return 1
    if "identity-refused" in trouble:
        if args == ["ping"]:
            print("Slurmctld(primary) at controller is DOWN")
            return 1
        print(f"{program}: error: slurm_receive_msg: Protocol authentication error", file=err)
        return 1
    if program in DATABASE and ("accounting-off" in trouble or "conf-minimal" in trouble):
        print("Slurm accounting storage is disabled" if program == "sacct" else "You are not running a supported accounting_storage plugin", file=err)
        return 1
    if program in DATABASE and "database-down" in trouble:
        print(f"{program}: error: _open_persist_conn: failed to open persistent connection to host:controller:6819: Connection refused", file=err)
        print(f"{program}: error: Sending PersistInit msg: Connection refused", file=err)
        return 1
    if program not in DATABASE and "controller-down" in trouble:
        if args == ["ping"]:
            print("Slurmctld(primary) at controller is DOWN")
            return 1
        time.sleep(9 if program == "sshare" else 18)
        print("slurm_load_jobs error: Unable to contact slurm controller (connect failure)", file=err)
        return 1
    return None


def option(args: list[str], name: str) -> str | None:
    return next((a.partition("=")[2] for a in args if a.startswith(f"--{name}=")), None)


def private(state: Thing, word: str) -> bool:
    return word in state["config"].get("PrivateData", "").split(",")


def tres(job: Thing) -> str:
    parts = [f"cpu={job['cpus']}", f"mem={job['cpus'] * 4000}M", f"node={job['nodes']}", f"billing={job['cpus']}"]
    return ",".join(parts + ([f"gres/gpu={job['gpus']}"] if job["gpus"] else []))


def limit_text(minutes: int | None) -> str:
    if minutes is None:
        return "UNLIMITED"
    days, rest = divmod(minutes, 1440)
    return (f"{days}-" if days else "") + f"{rest // 60:02d}:{rest % 60:02d}:00"


def identity(job: Thing) -> str:
    return f"{job['id']}_[{job['array']}]" if job["array"] else job["id"]


def times(job: Thing) -> tuple[Any, Any, Any]:
    """(eligible, start or estimate, end)"""
    eligible = job["begin"] or job["ago"]
    start = job["started"] if job["started"] is not None else job["estimate"]
    return eligible, start, job["ended"]


# -- squeue -------------------------------------------------------------------------------------------------------------------
def squeue(args: list[str], state: Thing, me: str) -> int:
    jobs = [j for j in state["jobs"] if not j["forgotten"] and (j["user"] == me or not private(state, "jobs"))]
    user, account = option(args, "user"), option(args, "account")
    jobs = [j for j in jobs if (user is None or j["user"] == user) and (account is None or j["account"] == account)]
    if "--json" in args:
        meta = {"plugin": {"data_parser": "data_parser/v0.0.42"}, "slurm": {"release": state["release"]}}
        print(json.dumps({"jobs": [as_json(j) for j in jobs], "meta": meta, "errors": [], "warnings": []}))
        return 0
    form = option(args, "Format")
    if form is None:
        print("squeue: unrecognized option", file=sys.stderr)
        return 1
    for job in jobs:
        print("".join(column(job, *field.split(":0", 1)) for field in form.split(",")))
    return 0


def column(job: Thing, name: str, suffix: str) -> str:
    eligible, start, end = times(job)
    raw = job["exit_code"] * 256 + job["signal"]
    values = {
        "BatchFlag": "1", "JobArrayID": identity(job), "UserName": job["user"], "Account": job["account"], "QOS": job["qos"], "Partition": job["partition"],
        "State": job["state"], "NumNodes": job["nodes"], "tres-alloc": tres(job), "PriorityLong": job["priority"], "SubmitTime": job["ago"],
        "EligibleTime": eligible, "StartTime": start or "N/A", "EndTime": end or "N/A", "TimeLimit": limit_text(job["limit"]), "restartcnt": job["restarts"],
        "exit_code": raw, "Reservation": job["reservation"] or "(null)", "Reason": job["reason"], "Name": job["name"],
    }  # fmt: skip
    return f"{values[name]}{suffix}"


def number(value: int | None) -> Thing:
    return {"set": value is not None, "infinite": False, "number": value or 0}


def as_json(job: Thing) -> Thing:
    eligible, start, end = times(job)
    limit = {"set": False, "infinite": True, "number": 0} if job["limit"] is None else number(job["limit"])
    return {
        "job_id": int(job["id"].split("_")[0]), "user_name": job["user"], "account": job["account"], "partition": job["partition"], "qos": job["qos"],
        "job_state": [job["state"]], "name": job["name"], "node_count": number(job["nodes"]), "tres_req_str": tres(job),
        "tres_alloc_str": tres(job) if job["started"] is not None else "", "priority": number(job["priority"]), "submit_time": number(job["ago"]),
        "eligible_time": number(eligible), "start_time": number(start or 0), "end_time": number(end or 0), "time_limit": limit,
        "restart_cnt": job["restarts"], "state_reason": job["reason"], "state_description": "", "resv_name": job["reservation"],
        "exit_code": {"return_code": number(job["exit_code"]), "signal": {"id": number(job["signal"] or None)}},
        "array_job_id": number(int(job["id"].split("_")[0]) if job["array"] or "_" in job["id"] else 0),
        "array_task_id": number(int(job["id"].split("_")[1]) if "_" in job["id"] else None), "array_task_string": job["array"],
        "het_job_id": number(0), "het_job_offset": number(0),
    }  # fmt: skip


# -- sacct --------------------------------------------------------------------------------------------------------------------
def sacct(args: list[str], state: Thing, me: str) -> int:
    user, delimiter, fields = option(args, "user"), option(args, "delimiter") or "|", (option(args, "format") or "").split(",")
    since = time.time() - 24 * 3600
    mine = [j for j in state["jobs"] if j["user"] == user and (user == me or not private(state, "jobs")) and (j["ended"] or since) >= since]
    for job in mine:
        for run in (r for r in state["runs"] if r["job"] == job["id"]):
            print(delimiter.join(str(history(job, f, run)) for f in fields))
        print(delimiter.join(str(history(job, f, None)) for f in fields))
    return 0


def history(job: Thing, name: str, run: Thing | None) -> object:
    state, start, end = (run["state"], run["started"], run["ended"]) if run else (job["state"], job["started"], job["ended"])
    elapsed = int((end or time.time()) - start) if start else 0
    return {
        "jobid": identity(job), "user": job["user"], "account": job["account"], "qos": job["qos"], "partition": job["partition"],
        "state": f"CANCELLED by {os.getuid()}" if state == "CANCELLED" else state, "exitcode": "0:0" if run else f"{job['exit_code']}:{job['signal']}",
        "submit": job["ago"], "start": start or "Unknown", "end": end or "Unknown", "elapsedraw": elapsed,
        "timelimitraw": "UNLIMITED" if job["limit"] is None else job["limit"], "nnodes": job["nodes"], "reqtres": tres(job),
        "alloctres": tres(job) if start else "",
        "reason": "None", "jobname": job["name"],
    }[name]  # fmt: skip


# -- sacctmgr, sshare ---------------------------------------------------------------------------------------------------------
def sacctmgr(args: list[str], state: Thing, me: str) -> int:
    words = [a for a in args if not a.startswith("-")]
    given = dict(w.partition("=")[::2] for w in words if "=" in w)
    fields = given["format"].split(",")
    rows: list[Thing]
    if words[:2] == ["show", "qos"]:
        rows = [quality(q) for q in state["qos"]]
    elif words[:2] == ["show", "associations"] and given.get("user"):
        seen = [u for u in state["users"] if u["name"] == given["user"] and (u["name"] == me or not private(state, "users"))]
        rows = [{"account": u["account"], "user": u["name"], "share": u["share"], "qos": ",".join(u["qos"]), "defaultqos": u["default_qos"]} for u in seen]
    elif words[:2] == ["show", "associations"]:
        found = [a for a in state["accounts"] if a["name"] == given["account"] and not private(state, "users")]
        rows = [
            {"account": a["name"], "parentname": a["parent"], "share": a["share"], "grptres": a["tres"], "grpjobs": a["jobs"], "qos": "normal"} for a in found
        ]
    else:
        print("sacctmgr: error: Unknown condition", file=sys.stderr)
        return 1
    for row in rows:
        print("|".join(str(row.get(f, "")) for f in fields))
    return 0


def quality(q: Thing) -> Thing:
    wall = "" if q["job_wall"] is None else limit_text(q["job_wall"])
    same = {"name": "name", "priority": "priority", "flags": "flags", "grptres": "tres", "grpjobs": "jobs", "maxtres": "job_tres", "maxtrespu": "user_tres"}
    return {
        **{field: q[name] for field, name in same.items()}, "maxwall": wall, "maxjobspu": q["user_jobs"], "preempt": q["preempt"],
        "preemptmode": q["preempt_mode"], "usagefactor": "1.000000",
    }  # fmt: skip


def sshare(args: list[str], state: Thing, me: str) -> int:
    fields = (option(args, "format") or "").split(",")
    for user in state["users"]:
        if user["name"] == option(args, "users"):
            row = {
                "account": user["account"], "user": user["name"], "rawshares": user["share"], "normshares": "0.500000",
                "effectvusage": f"{user['usage']:.6f}", "fairshare": f"{user['factor']:.6f}", "levelfs": "1.000000" if user["usage"] else "inf",
            }  # fmt: skip
            print("|".join(str(row[f]) for f in fields))
    return 0


# -- scontrol -----------------------------------------------------------------------------------------------------------------
CONFIG = {
    "AccountingStorageEnforce": "associations,limits,qos,safe", "AccountingStorageType": "accounting_storage/slurmdbd", "EnforcePartLimits": "NO",
    "MinJobAge": "300 sec", "PreemptMode": "REQUEUE", "PreemptType": "preempt/qos", "PriorityType": "priority/multifactor", "PriorityWeightAge": "1000",
    "PriorityWeightFairShare": "10000", "PriorityWeightQOS": "20000", "PrivateData": "none", "SchedulerParameters": "bf_continue", "SlurmUser": "slurm(401)",
}  # fmt: skip


def scontrol(args: list[str], state: Thing, me: str) -> int:
    if args == ["ping"]:
        print("Slurmctld(primary) at controller is UP")
        return 0
    if args == ["show", "config"]:
        print(f"Configuration data as of {int(time.time())}")
        lines = {**CONFIG, "ClusterName": state["name"], "SLURM_VERSION": state["release"], **state["config"]}
        if "accounting-off" in faults():
            lines["AccountingStorageType"] = "accounting_storage/none"
        for name, value in sorted(lines.items()):
            print(f"{name:<23} = {value}")
        return 0
    if args[:2] == ["show", "assoc_mgr"]:
        return assoc_mgr(args, state, me)
    return {"partition": partitions, "reservation": reservations, "node": nodes}[args[1]](state)


def partitions(state: Thing) -> int:
    for p in state["partitions"]:
        print(
            f"PartitionName={p['name']}\n   AllowGroups={p['groups']} AllowAccounts={p['accounts']} AllowQos={p['qos']}\n   AllocNodes=ALL "
            f"Default={'YES' if p['default'] else 'NO'} QoS=N/A\n   DefaultTime={limit_text(p['default_limit'])} RootOnly=NO ReqResv=NO Hidden=NO\n   "
            f"MaxNodes=UNLIMITED MaxTime={limit_text(p['limit'])} MinNodes=0\n   Nodes={p['nodes']}\n   PreemptMode=REQUEUE\n   State={p['state']} "
            f"TotalNodes={p['count']}\n"
            f"   TRES=cpu={p['count'] * 192},mem={p['count'] * 2000000}M,node={p['count']},billing={p['count'] * 192},gres/gpu={p['gpus']}\n"
        )
    return 0


def reservations(state: Thing) -> int:
    if private(state, "reservations") or not state["reservations"]:
        print("No reservations in the system")
        return 0
    for r in state["reservations"]:
        print(
            f"ReservationName={r['name']} StartTime={r['starts']} EndTime={r['starts'] + r['minutes'] * 60} Duration={limit_text(r['minutes'])}\n   "
            f"Nodes={r['nodes']} NodeCnt={r['count']} CoreCnt=0 Features=(null) PartitionName=(null) Flags={r['flags']}\n   "
            f"Users={r['users']} Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE\n"
        )
    return 0


def nodes(state: Thing) -> int:
    for n in state["nodes"]:
        held = f"cpu={n['cpus_held']},mem={n['cpus_held'] * 4000}M,gres/gpu={n['gpus_held']}" if n["cpus_held"] else ""
        print(
            f"NodeName={n['name']} Arch=x86_64 CoresPerSocket=96 \n   State={n['state']} ThreadsPerCore=1 Weight=1\n   "
            f"CfgTRES=cpu={n['cpus']},mem=2000000M,billing={n['cpus']},gres/gpu={n['gpus']}\n   AllocTRES={held}\n"
        )
    return 0


def held(jobs: list[Thing]) -> dict[str, int]:
    jobs = [j for j in jobs if j["state"] in STARTED]
    return {"cpu": sum(j["cpus"] for j in jobs), "node": sum(j["nodes"] for j in jobs), "gres/gpu": sum(j["gpus"] for j in jobs), "jobs": len(jobs)}


def counted(limits: str, jobs: list[Thing]) -> str:
    """`cpu=N(8),...,gres/gpu=16(12)`: the limit, and what is held of it."""
    wanted = dict(part.partition("=")[::2] for part in limits.split(",") if part)
    now = held(jobs)
    return ",".join(f"{name}={wanted.get(name, 'N')}({now.get(name, 0)})" for name in ("cpu", "mem", "node", "billing", "gres/gpu"))


def below(state: Thing, account: str) -> set[str]:
    found: set[str] = set()
    wanted = [account]
    while wanted:
        name = wanted.pop()
        found.add(name)
        wanted += [a["name"] for a in state["accounts"] if a["parent"] == name]
    return found


def assoc_mgr(args: list[str], state: Thing, me: str) -> int:
    if state["unknown_user"]:
        print("slurm_load_assoc_mgr_info error: Invalid user id", file=sys.stderr)
        return 1
    print("Current Association Manager state\n")
    if "flags=assoc" in args:
        print("Association Records\n")
        if not private(state, "usage"):
            for a in state["accounts"]:
                inside = [j for j in state["jobs"] if j["account"] in below(state, a["name"])]
                print_assoc(state, a["name"], "", a["parent"], a["share"], a["tres"], a["jobs"], inside)
        for u in state["users"]:
            if u["name"] == me or not private(state, "usage"):
                print_assoc(
                    state,
                    u["account"],
                    u["name"],
                    "",
                    u["share"],
                    "",
                    "",
                    [j for j in state["jobs"] if j["account"] == u["account"] and j["user"] == u["name"]],
                )
        return 0
    print("QOS Records\n")
    for number_, q in enumerate(state["qos"], 1):
        jobs = [j for j in state["jobs"] if j["qos"] == q["name"]]
        now = held(jobs)
        print(f"QOS={q['name']}({number_})\n    UsageRaw=0.000000\n    GrpJobs={q['jobs'] or 'N'}({now['jobs']}) GrpSubmitJobs=N({len(jobs)}) GrpWall=N(0.00)")
        print(
            f"    GrpTRES={counted(q['tres'], jobs)}\n    MaxWallPJ={q['job_wall'] or ''}\n"
            f"    MaxTRESPJ={q['job_tres']}\n    MaxTRESPN=\n    Priority={q['priority']}"
        )
        print("    Account Limits")
        for account in sorted({j["account"] for j in jobs}):
            theirs = [j for j in jobs if j["account"] == account]
            print(f"      {account}\n        MaxJobsPA=N({held(theirs)['jobs']}) MaxSubmitJobsPA=N({len(theirs)})\n        MaxTRESPA={counted('', theirs)}")
        print("    User Limits")
        for user in sorted({j["user"] for j in jobs}):
            theirs = [j for j in jobs if j["user"] == user]
            print(
                f"      {user}(1000)\n        MaxJobsPU={q['user_jobs'] or 'N'}({held(theirs)['jobs']}) MaxSubmitJobsPU=N({len(theirs)})\n"
                f"        MaxTRESPU={counted(q['user_tres'], theirs)}"
            )
    return 0


def print_assoc(state: Thing, account: str, user: str, parent: str, share: int, limits: str, jobs_limit: str, jobs: list[Thing]) -> None:
    now = held(jobs)
    print(f"ClusterName={state['name']} Account={account} UserName={user + '(1000)' if user else ''} Partition= Priority=0 ID=1")
    print(f"    SharesRaw/Norm/Level/Factor={share}/0.50/1/0.50\n    ParentAccount={parent + '(1)' if parent else ''} Lineage=/ DefAssoc=Yes")
    print(
        f"    GrpJobs={jobs_limit or 'N'}({now['jobs']}) GrpJobsAccrue=N(0)\n"
        f"    GrpSubmitJobs=N({len(jobs)}) GrpWall=N(0.00)\n    GrpTRES={counted(limits, jobs)}"
    )
    print("    MaxJobs= MaxJobsAccrue= MaxSubmitJobs= MaxWallPJ=\n    MaxTRESPJ=\n    MaxTRESPN=\n    Comment=(null)")


if __name__ == "__main__":
    sys.exit(main())
