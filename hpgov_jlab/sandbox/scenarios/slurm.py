"""The default scenario's Slurm cluster: a research team's own jobs and its colleagues', under limits; another team beside it, whose names never show."""

from __future__ import annotations

from functools import partial

from ..slurm.cluster import ME, Account, Job, Node, Partition, Qos, Reservation, Run, SlurmCluster, User

TEAM, VISION, OTHER = "research-nlp", "research-vision", "team-production"

OWN = partial(Job, user=ME, account=TEAM)
COLLEAGUE = partial(Job, user="bruno", account=TEAM, qos="research")
STRANGER = partial(Job, user="carla", account=OTHER, partition="prod", qos="high")

SLURM = SlurmCluster(
    name="ml-slurm",
    accounts=(
        Account(name="org", parent="root"),
        Account(name="team-research", parent="org", share=60, tres="gres/gpu=40"),
        Account(name=OTHER, parent="org", share=40),
        Account(name=TEAM, parent="team-research", share=2),
        Account(name=VISION, parent="team-research"),
    ),
    users=(
        User(name=ME, account=TEAM, share=10, qos=("normal", "low", "research"), factor=0.41, usage=0.62),
        User(name="bruno", account=TEAM, share=10, qos=("normal", "low", "research"), factor=0.35, usage=0.7),
        User(name="carla", account=OTHER, qos=("normal", "high"), factor=0.8, usage=0.2),
    ),
    qos=(
        Qos(name="normal", priority=100),
        Qos(name="low", priority=10, preempt_mode="requeue"),
        Qos(name="research", priority=200, tres="gres/gpu=24", user_tres="gres/gpu=16", user_jobs="6", job_wall=2880),
        Qos(name="high", priority=1000, tres="gres/gpu=32", preempt="low", flags="DenyOnLimit"),
    ),
    partitions=(
        Partition(name="gpu", nodes="ip-10-1-0-[1-8]", count=8, gpus=64, default=True, limit=4320, default_limit=240),
        Partition(name="prod", nodes="ip-10-1-0-[1-8]", count=8, gpus=64, accounts=OTHER),
        Partition(name="short", nodes="ip-10-1-0-8", count=1, gpus=8, limit=60, qos="normal,high"),
    ),
    reservations=(Reservation(name="driver-update", starts=20 * 60, minutes=180, nodes="ip-10-1-0-[1-4]", count=4, users="maint"),),
    nodes=(
        *(Node(name=f"ip-10-1-0-{n}", state="ALLOCATED", gpus_held=8, cpus_held=96) for n in range(1, 6)),
        Node(name="ip-10-1-0-6", state="MIXED", gpus_held=4, cpus_held=48),
        Node(name="ip-10-1-0-7", state="IDLE+PLANNED"),
        Node(name="ip-10-1-0-8", state="IDLE+DRAIN"),
    ),
    jobs=(
        OWN(id="4101", name="llama-sft-lr2e5", qos="research", state="RUNNING", nodes=1, cpus=48, gpus=8, ago=430, started=410, limit=1440),
        OWN(id="4105", name="tokenise-shards", state="RUNNING", cpus=48, gpus=0, ago=190, started=185, limit=480),
        OWN(id="4107", name="llama-dpo", qos="research", nodes=2, cpus=96, gpus=16, priority=21450, ago=170, reason="QOSMaxGRESPerUser", limit=1440),
        OWN(id="4110", name="sweep-warmup", qos="low", gpus=8, priority=9120, ago=150, reason="Priority", array="0-11%4", estimate=240, limit=180),
        OWN(id="4093", name="eval-mmlu", qos="low", gpus=8, priority=8900, ago=600, reason="Resources", restarts=1, estimate=95, limit=2880),
        OWN(id="4111", name="eval-after-dpo", gpus=4, priority=12400, ago=140, reason="Dependency"),
        OWN(id="4112", name="long-rollout", partition="prod", gpus=8, priority=12300, ago=90, reason="PartitionConfig"),
        OWN(id="4098", name="export-onnx", state="COMPLETED", cpus=16, gpus=1, ago=320, started=318, ended=3, limit=600),
        OWN(id="4088", name="ablation-7", state="FAILED", gpus=8, ago=800, started=790, ended=610, exit_code=1, forgotten=True),
        OWN(id="4085", name="ablation-6", state="OUT_OF_MEMORY", gpus=8, ago=900, started=880, ended=700, signal=9, forgotten=True),
        OWN(id="4079", name="pretrain-smoke", state="TIMEOUT", nodes=2, cpus=96, gpus=16, ago=1300, started=1290, ended=1050, limit=240, forgotten=True),
        COLLEAGUE(id="4102", name="reward-model", state="RUNNING", cpus=48, gpus=8, ago=300, started=280, limit=720),
        COLLEAGUE(id="4108", name="reward-model-2", nodes=2, cpus=96, gpus=16, priority=21500, ago=160, reason="QOSGrpGRES"),
        STRANGER(id="4100", name="serve-v3", state="RUNNING", nodes=3, cpus=288, gpus=24, ago=900, started=890, limit=None),
        STRANGER(id="4109", name="serve-v4", nodes=2, cpus=192, gpus=16, priority=120400, ago=30, reason="Resources"),
    ),
    runs=(Run(job="4093", state="PREEMPTED", started=520, ended=460),),
    config={"PrivateData": "none"},
)  # fmt: skip
