"""The two-team story: six nodes, two teams with three each, and an afternoon in which they borrow, take back, stop, wait, fail and finish.

Played on a real cluster; hpgov_jlab.sandbox.record writes down what its API server shows. What `Hands` wrote is marked in the objects themselves.
"""

from __future__ import annotations

from collections.abc import Callable

from hpgov_jlab.contracts.record import ANNOTATION
from hpgov_jlab.policy import render_kubernetes

from . import roles, tasks
from .hands import Hands
from .hyperpod import HyperPod, Team, condition, is_true, priority_class_of
from .tasks import Manifest, template, timestamp

Tell = Callable[[str, float], None]  # a sentence, and how many seconds pass after it
NODES, SHARE, MAY_BORROW = 6, 3, 2
ENV = {"NCCL_DEBUG": "INFO", "EXPERIMENT_TOKEN": "sandbox-env-value-that-no-answer-may-show"}
# what production's administrator wrote on its namespace, as `kubectl annotate` does; the same owner as in the sandbox's own records
CONTRACT = """\
apiVersion: hpgov/v1
kind: ConnectionContract
record: https://wiki.example.com/hyperpod/contracts/production-ml-research
owners:
  business: {name: Frank Example, contact: frank@example.com}
purpose: Fine-tuning and serving of what customers use.
scope:
  namespaces: [hyperpod-ns-production]
lifecycle:
  status: approved
"""
MINA, LEO, ADA, TOM = "mina.okafor", "leo.brandt", "ada.lindqvist", "tom.reyes"


def grant_readers(cluster: HyperPod, team: Team) -> None:
    """More groups: for each team one with exactly the published manifest *team*, and one with *cohort reader*; the official ones stay."""
    cluster.apply(*render_kubernetes.team([team.namespace], [team.queue], render_kubernetes.Subject("Group", f"{team.namespace}-hpgov-group")))
    cluster.apply(*render_kubernetes.cohort_reader(render_kubernetes.Subject("Group", "hpgov-cohort-reader-group")))


class Story:
    def __init__(self, cluster: HyperPod, tell: Tell):
        self.cluster, self.tell, self.hands = cluster, tell, Hands(cluster)
        self.values = {"urgent": 100, "inference": 100, "training": 75, "experiment": 50}

    # -- small steps --------------------------------------------------------------------------------------------------------------------------------------
    def admitted(self, obj: Manifest) -> None:
        ns, name = obj["metadata"]["namespace"], obj["metadata"]["name"]
        self.cluster.until(lambda: is_true(self.cluster.workload_of(ns, name), "Admitted"), f"{name} admitted")

    def stopped(self, obj: Manifest, status: Manifest | None = None) -> None:
        """Waits until Kueue wants the task stopped, removes its pods and writes `status` as its operator would, and waits until it holds no quota any more."""
        ns, name = obj["metadata"]["namespace"], obj["metadata"]["name"]
        self.cluster.until(lambda: is_true(self.cluster.workload_of(ns, name), "Evicted"), f"{name} evicted")
        self.tell("", 2)  # Kueue keeps the quota reserved until the operator says that nothing is active
        self._drop_pods(ns, name)
        if status:
            self.hands.status(obj, status)
        self.cluster.until(lambda: condition(self.cluster.workload_of(ns, name), "QuotaReserved").get("status") == "False", f"{name} stopped")

    def _drop_pods(self, ns: str, name: str) -> None:
        for pod in self.hands.pods(ns, name):
            self.cluster.delete(tasks.path("Pod", ns, pod["metadata"]["name"]))
        for job in self.cluster.items(tasks.path("Job", ns), labelSelector=f"jobset.sigs.k8s.io/jobset-name={name}"):
            self.cluster.delete(tasks.path("Job", ns, job["metadata"]["name"]))

    def run(self, obj: Manifest, status: Manifest | None = None) -> Manifest:
        """Waits for admission, then does what the kind's operator would: pods, and its own status."""
        self.admitted(obj)
        self.hands.expand(obj)
        if status:
            self.hands.status(obj, status)
        return obj

    def running(self, namespace: str, owner: str, count: int = 1) -> None:
        self.cluster.until(
            lambda: sum(p.get("status", {}).get("phase") == "Running" for p in self.hands.pods(namespace, owner)) >= count, f"{owner}: {count} pods running"
        )

    # -- the cluster ----------------------------------------------------------------------------------------------------------------------------------------
    def lay_out(self) -> tuple[Team, Team]:
        c = self.cluster
        for n in range(NODES):
            c.node(f"hyperpod-i-0a{n}7d3e51c9b2{n}44")
        c.flavor()
        for name, value in self.values.items():
            c.priority(name, value)
        production, research = (c.team(n, SHARE, MAY_BORROW, lend=SHARE) for n in ("production", "research"))
        for team in (production, research):
            grant_readers(c, team)
        c.annotate(production.namespace, {ANNOTATION: CONTRACT})
        return production, research

    def play(self) -> None:
        """Begins with a cluster at work (nothing is told before that), then tells step by step."""
        production, research = self.lay_out()
        hands, c = self.hands, self.cluster
        started = [condition_of("Running", "JobRunning")]

        # before the first frame: what both teams have running, and two that ended
        clean = hands.submit(tasks.job(research, "tokenizer-clean-0412", 1, template(0, "32", "200Gi", env=ENV), priority="experiment", by=MINA))
        probe = hands.submit(tasks.job(research, "probe-lr-3e4", 1, template(1, "12", "100Gi", env=ENV), priority="experiment", by=LEO))
        embed = hands.submit(tasks.job(production, "batch-embed-7", 2, template(1, "12", "100Gi"), priority="training", by=ADA))
        for job, count in ((clean, 1), (probe, 1), (embed, 2)):
            self.running(job["metadata"]["namespace"], job["metadata"]["name"], count)
        hands.end(research.namespace, "tokenizer-clean-0412")
        hands.end(production.namespace, "batch-embed-7")
        hands.end(research.namespace, "probe-lr-3e4", 1)
        hands.submit(tasks.job(production, "nightly-finetune", 1, template(4, "48", "500Gi", env=ENV), priority="training", by=ADA))
        server = template(
            1,
            "16",
            "128Gi",
            name="server",
            image="registry.example/vllm:0.9",
            labels={tasks.QUEUE: production.local_queue, tasks.PRIORITY: priority_class_of("inference")},
        )
        hands.submit(tasks.served_model("InferenceEndpointConfig", production, "summarizer", 2))
        hands.submit(tasks.deployment(production, "summarizer", 2, server, priority="inference"))
        space = hands.submit(tasks.workspace(research, "mina-notebook", by="arn:aws:sts::111122223333:assumed-role/research/mina.okafor"))
        hands.space_pod(research, space, priority="inference")
        sweep = hands.submit(tasks.job_set(research, "bert-sweep", 2, 1, template(env=ENV), priority="experiment", by=LEO))
        self.run(sweep)
        reward = hands.submit(tasks.pytorch_job(research, "rlhf-reward", 1, template(name="pytorch", env=ENV), priority="experiment", by=MINA))
        self.run(reward, {"conditions": started, "replicaStatuses": {"Master": {"active": 1}, "Worker": {"active": 1}}})
        evaluate = hands.submit(tasks.job(research, "eval-mmlu", 1, template(2, "24", "200Gi", env=ENV), priority="experiment", by=MINA))
        self.admitted(evaluate)
        hands.status(
            space,
            {
                "conditions": [tasks.condition("Available", "True", "ComputeReady"), tasks.condition("Progressing", "False", "ReconcileComplete")],
                "accessURL": "https://spaces.example/mina-notebook",
            },
        )
        self.running(production.namespace, "nightly-finetune")
        self.cluster.until(
            lambda: c.read(tasks.path("Deployment", production.namespace, "summarizer")).get("status", {}).get("readyReplicas") == 2, "summarizer ready"
        )
        hands.status(
            {"kind": "InferenceEndpointConfig", "metadata": {"namespace": production.namespace, "name": "summarizer"}},
            {"state": "DeploymentComplete", "replicas": 2},
        )
        self.tell("Two teams share six nodes; research runs on more than its share and has borrowed from production.", 20)

        pretrain = hands.submit(tasks.pytorch_job(production, "llama-pretrain", 1, template(name="pytorch", env=ENV), priority="training", by=TOM))
        self.tell("Production submits llama-pretrain: two nodes, within its share.", 1)
        self.stopped(reward, {"conditions": [condition_of("Suspended", "JobSuspended")], "replicaStatuses": {"Master": {"active": 0}, "Worker": {"active": 0}}})
        self.run(pretrain, {"conditions": started, "replicaStatuses": {"Master": {"active": 1}, "Worker": {"active": 1}}})
        self.tell("The share is taken back: rlhf-reward of research is stopped and waits again.", 20)

        ablation = hands.submit(
            tasks.ray_job(research, "diffusion-ablation", 1, template(2, "24", "200Gi", name="ray-worker", env=ENV), priority="experiment", by=LEO)
        )
        self.run(ablation, {"jobStatus": "RUNNING", "jobDeploymentStatus": "Running", "rayClusterName": "diffusion-ablation-x7k2p"})
        self.tell("Research starts diffusion-ablation on Ray, two GPUs.", 15)

        deadline = hands.submit(tasks.mpi_job(research, "paper-deadline", 2, template(name="mpi", env=ENV), priority="urgent", by=MINA))
        self.tell("Research submits paper-deadline as urgent: two nodes, which it no longer has.", 1)
        self.stopped(sweep)
        self.run(deadline, {"conditions": started, "replicaStatuses": {"Launcher": {"active": 1}, "Worker": {"active": 2}}})
        self.tell("Its own lower task bert-sweep is stopped for it.", 20)

        hands.submit(tasks.job(research, "mixtral-8x22b", 6, template(env=ENV), priority="training", by=LEO))
        self.tell("Research submits mixtral-8x22b: six nodes, more than it could ever hold with today's quota.", 15)

        hands.submit(tasks.job(production, "fsdp-profile", 1, template(1, "190", "500Gi", env=ENV), priority="training", by=TOM))
        self.tell("Production's fsdp-profile fits the quota, but no node has 190 free processors for its pod.", 15)

        hands.submit(tasks.job(research, "quick-test", 1, template(1, "8", "64Gi", env=ENV), by=LEO))
        hands.submit(tasks.job(production, "audit-export", 1, template(0, "2", "8Gi"), queue=None))
        self.tell("Two more: quick-test has no priority class, audit-export has no queue and is not governed.", 15)

        hands.end(research.namespace, "eval-mmlu")
        self.tell("eval-mmlu finishes.", 15)

        reranker = template(
            1,
            "16",
            "128Gi",
            name="server",
            image="registry.example/reranker:2.0-typo",
            labels={tasks.QUEUE: production.local_queue, tasks.PRIORITY: priority_class_of("inference")},
        )
        hands.submit(tasks.deployment(production, "reranker", 1, reranker, priority="inference"))
        pod = self.cluster.until(
            lambda: next((p for p in c.items(tasks.path("Pod", production.namespace), labelSelector="app=reranker") if p["spec"].get("nodeName")), None),
            "a pod of reranker on a node",
        )
        hands.waiting_pod(pod, "ImagePullBackOff", 'Back-off pulling image "registry.example/reranker:2.0-typo"')
        self.tell("Production deploys reranker with an image name that does not exist.", 15)

        workers = [p for p in hands.pods(research.namespace, "paper-deadline") if "worker" in p["metadata"]["name"]]
        hands.end_pod(workers[0], 137, "OOMKilled")
        hands.end(research.namespace, "paper-deadline", 1)
        hands.status(
            deadline,
            {
                "conditions": [*started, condition_of("Failed", "MPIJobFailed", "MPIJob paper-deadline has failed: worker-0 exited with 137 (OOMKilled)")],
                "replicaStatuses": {"Launcher": {"active": 0, "failed": 1}, "Worker": {"active": 0, "failed": 2}},
            },
        )
        self.tell("paper-deadline runs out of memory and fails.", 2)
        # equal in priority and almost in age: Kueue says who is first
        first, second = self.cluster.until(
            lambda: next(
                (pair for pair in ((sweep, reward), (reward, sweep)) if is_true(c.workload_of(research.namespace, pair[0]["metadata"]["name"]), "Admitted")),
                None,
            ),
            "one of the two stopped tasks admitted again",
        )
        self.run(first, {"conditions": started, "replicaStatuses": {"Master": {"active": 1}, "Worker": {"active": 1}}} if first is reward else None)
        self.tell(f"{first['metadata']['name']} runs again on what it held; {second['metadata']['name']} still waits.", 15)

        sft = hands.submit(
            tasks.hyperpod_job(production, "gpt-oss-sft", 2, 1, template(1, "12", "100Gi", name="pytorch", env=ENV), priority="training", by=ADA)
        )
        hands.workload(sft, production.local_queue, "training", self.values["training"])
        self.run(
            sft,
            {
                "startTime": timestamp(),
                "restartCount": 0,
                "conditions": [tasks.condition("Created", "True", "Created"), tasks.condition("Running", "True", "Running")],
            },
        )
        self.tell("Production starts gpt-oss-sft with HyperPod's training operator: two pods and a spare.", 15)

        workload = c.workload_of(research.namespace, second["metadata"]["name"])
        assert workload is not None
        c.patch(c.kueue_path("workloads", research.namespace, workload["metadata"]["name"]), {"spec": {"active": False}})
        self.tell(f"Someone deactivates {second['metadata']['name']}: it is out of the line.", 15)

        hands.end(production.namespace, "llama-pretrain")
        hands.status(
            pretrain,
            {
                "conditions": [condition_of("Succeeded", "JobSucceeded")],
                "replicaStatuses": {"Master": {"active": 0, "succeeded": 1}, "Worker": {"active": 0, "succeeded": 1}},
            },
        )
        hands.end(research.namespace, "quick-test", 2)
        self.tell("llama-pretrain has finished; its nodes are unclaimed again. quick-test ended badly.", 20)

    def plain(self) -> None:
        """The same two teams on a cluster without Kueue: jobs and pods, and nothing that governs them."""
        c, hands = self.cluster, self.hands
        for n in range(2):
            c.node(f"hyperpod-i-0b{n}91c2e04d7f{n}88")
        teams = []
        for name in ("production", "research"):
            ns = c.namespace(f"hyperpod-ns-{name}")
            team = Team(name, ns, f"{ns}-clusterqueue", "")
            c.grant(f"{ns}-namespace-role", roles.official_namespaced(), *team.groups, namespace=ns)
            c.grant(f"{ns}-cluster-role", roles.official_cluster(team.queue), *team.groups)
            grant_readers(c, team)
            teams.append(team)
        production, research = teams
        hands.submit(tasks.job(research, "probe-lr-3e4", 1, template(4, env=ENV), queue=None, by=LEO))
        hands.submit(tasks.job(production, "nightly-finetune", 1, template(8, env=ENV), queue=None, by=ADA))
        self.running(research.namespace, "probe-lr-3e4")
        self.running(production.namespace, "nightly-finetune")
        self.tell("Two jobs run; nobody governs this cluster.", 20)
        hands.submit(tasks.job(research, "bert-sweep", 2, template(8, env=ENV), queue=None, by=LEO))
        self.tell("bert-sweep is started at once, but only one node has eight GPUs free.", 20)
        hands.end(research.namespace, "probe-lr-3e4", 1)
        self.tell("probe-lr-3e4 fails; a pod of bert-sweep takes its place.", 20)
        hands.end(production.namespace, "nightly-finetune")
        self.tell("nightly-finetune finishes.", 20)


def condition_of(kind: str, reason: str, message: str = "") -> Manifest:
    return tasks.condition(kind, "True", reason, message)
