"""The shape of a connection contract, once (DESIGN.md 6): validation, contract.schema.json, the facts shown, differences and the draft all come from it.

AWS has no such object: this is the customer's record. Words that AWS uses too (orchestrator, sharing, preemption) are spelt as its API spells them
(SageMaker ComputeQuota: ResourceSharingStrategy, PreemptTeamTasks), so that drift can be told later.
"""

from __future__ import annotations

from typing import Any

from .schema import Choice, Date, Field, Group, Items, Link, Text, Whole, json_schema

API_VERSION = "hpgov/v1"
KIND = "ConnectionContract"

_NAME = Text(most=200)
_ACCOUNT = Text(most=12, pattern="[0-9]{12}", example='"111122223333"')
_REGION = Text(most=32, pattern="[a-z]{2}(-[a-z]{2,16}){1,3}-[0-9]{1,2}", example="us-west-2")
_ROLE = Text(most=640, pattern=r"arn:aws[a-z-]{0,16}:iam::[0-9]{12}:role/[A-Za-z0-9_+=,.@/-]{1,576}", example="arn:aws:iam::111122223333:role/name")
_ID = Text(most=64, pattern="[A-Za-z0-9_-]{1,64}", example="a1b2c3d4e5")
_DNS = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_NAMESPACE = Text(most=63, pattern=_DNS, example="hyperpod-ns-team")
_SERVICE_ACCOUNT = Text(most=320, pattern=f"({_DNS}/)?[a-z0-9]([a-z0-9.-]{{0,251}}[a-z0-9])?", example="namespace/name")
_SLURM_NAME = Text(most=64, pattern="[A-Za-z0-9_.][A-Za-z0-9_.-]{0,63}", example="team-a")
_PERIOD = Text(most=16, pattern="[1-9][0-9]{0,2} (day|days|week|weeks|month|months|year|years)", example="6 months")

_OWNER = Group(
    (
        Field("name", _NAME, "Person or team", required=True, apart=True),
        Field("contact", _NAME, "Where to reach them: a mailbox, a channel", apart=True),
        Field("escalation", _NAME, "Whom to reach when they do not answer", apart=True),
    )
)
_SIGNAL = Group(
    (
        Field("owner", _NAME, "Who watches it", apart=True),
        Field("threshold", _NAME, "When it calls for somebody", apart=True),
        Field("response", Text(most=1000, lines=True), "What is done then", apart=True),
    )
)

OWNER_ROLES: dict[str, str] = {
    "business": "field_owner_business",
    "operations": "field_owner_operations",
    "cost": "field_owner_cost",
    "exceptions": "field_owner_exceptions",
}
SIGNALS: dict[str, str] = {
    "cluster_health": "field_signal_cluster_health",
    "queue_wait": "field_signal_queue_wait",
    "share_held": "field_signal_share_held",
    "stops": "field_signal_stops",
    "cost": "field_signal_cost",
}

CONTRACT = Group(
    (
        Field("apiVersion", Choice((API_VERSION,)), "Version of this format", required=True, apart=True),
        Field("kind", Choice((KIND,)), "What this is", required=True, apart=True),
        Field("record", Link(), "Link to your own record of this agreement: wiki page, ticket, catalogue entry", "field_record", required=True, apart=True),
        Field(
            "owners",
            Group(
                (
                    Field("business", _OWNER, "Answers for why the project may use the cluster", OWNER_ROLES["business"]),
                    Field("operations", _OWNER, "Answers for running it", OWNER_ROLES["operations"]),
                    Field("cost", _OWNER, "Answers for what it costs", OWNER_ROLES["cost"]),
                    Field("exceptions", _OWNER, "May grant exceptions", OWNER_ROLES["exceptions"]),
                ),
                at_least_one=True,
            ),
            "Who answers for this connection; one of them is needed",
            required=True,
        ),
        Field("purpose", Text(most=2000, lines=True), "What the connection is for", "field_purpose", apart=True),
        Field(
            "accounts",
            Group(
                (
                    Field("capacity", _ACCOUNT, "AWS account that holds the accelerators", "field_account_capacity"),
                    Field("consumer", _ACCOUNT, "AWS account of the project", "field_account_consumer"),
                    Field("data", _ACCOUNT, "AWS account of the data", "field_account_data"),
                )
            ),
            "AWS accounts, in quotes",
        ),
        Field("network", Text(most=500, lines=True), "How the project reaches the cluster", "field_network"),
        Field("isolation", Choice(("shared", "dedicated")), "Whether other teams run on the same cluster", "field_isolation"),
        Field(
            "domain",
            Group((Field("id", _ID, "DataZone domain id", "field_domain_id"), Field("name", _NAME, "Its name", "field_domain_name"))),
            "SageMaker Unified Studio domain",
        ),
        Field(
            "project",
            Group((Field("id", _ID, "DataZone project id", "field_project_id"), Field("name", _NAME, "Its name", "field_project_name"))),
            "Project that the agreement is made with",
        ),
        Field(
            "cluster",
            Group(
                (
                    Field("account", _ACCOUNT, "AWS account of the cluster, in quotes", "field_cluster_account"),
                    Field("region", _REGION, "AWS region of the cluster", "field_cluster_region"),
                    Field("name", Text(most=63, pattern="[A-Za-z0-9][A-Za-z0-9-]{0,62}", example="ml-cluster"), "HyperPod cluster name", "field_cluster_name"),
                    Field("orchestrator", Choice(("EKS", "SLURM")), "What schedules it", "field_cluster_orchestrator"),
                    Field("version", Text(most=64), "Version of the orchestrator, in quotes", "field_cluster_version"),
                )
            ),
            "Cluster that the agreement is about",
        ),
        Field(
            "roles",
            Group(
                (
                    Field("project", _ROLE, "ARN of the project role", "field_role_project"),
                    Field("access", _ROLE, "ARN of the connection's access role", "field_role_access"),
                )
            ),
            "IAM roles; a record only: rights never come from here",
        ),
        Field("service_accounts", Items(_SERVICE_ACCOUNT, 50), "Kubernetes service accounts that tasks may run as", "field_service_accounts", apart=True),
        Field(
            "workload_kinds",
            Items(Text(most=63, pattern="[A-Za-z][A-Za-z0-9-]{0,62}", example="PyTorchJob"), 50),
            "Kinds of task that are approved",
            "field_workload_kinds",
            apart=True,
        ),
        Field("data_classification", _NAME, "Class of data that may be used there", "field_data_classification"),
        Field(
            "scope",
            Group(
                (
                    Field("namespaces", Items(_NAMESPACE, 50), "EKS: the team's namespaces", "field_scope_namespaces", apart=True),
                    Field(
                        "slurm",
                        Group(
                            (
                                Field("accounts", Items(_SLURM_NAME, 50), "Slurm accounts", "field_scope_slurm_accounts", apart=True),
                                Field("qos", Items(_SLURM_NAME, 50), "Slurm QoS", "field_scope_qos"),
                                Field("partitions", Items(_SLURM_NAME, 50), "Slurm partitions", "field_scope_partitions"),
                            )
                        ),
                        "Slurm: where the team may submit",
                    ),
                )
            ),
            "Where on the cluster",
        ),
        Field(
            "task_governance",
            Group(
                (
                    Field("team", Text(most=40), "Team name of the compute quota", "field_team"),
                    Field("compute_quota_id", _ID, "Id of the compute quota", "field_compute_quota_id"),
                    Field("scheduler_config_id", _ID, "Id of the cluster's scheduler configuration", "field_scheduler_config_id"),
                    Field(
                        "share",
                        Items(
                            Group(
                                (
                                    Field(
                                        "instance_type",
                                        Text(most=64, pattern=r"ml\.[a-z0-9.-]{1,60}", example="ml.p5.48xlarge"),
                                        "Instance type",
                                        required=True,
                                        apart=True,
                                    ),
                                    Field("count", Whole(0, 100_000), "Instances", required=True, apart=True),
                                )
                            ),
                            50,
                        ),
                        "The team's share per instance type",
                        "field_share",
                        apart=True,
                    ),
                    Field("priority_classes", Items(Text(most=63), 50), "Priority classes that the team may use", "field_priority_classes"),
                    Field("sharing", Choice(("Lend", "DontLend", "LendAndBorrow")), "Lending and borrowing of idle share", "field_sharing"),
                    Field("borrow_limit_percent", Whole(0, 10_000), "How much may be borrowed, in percent of the share", "field_borrow_limit_percent"),
                    Field("preemption", Choice(("Never", "LowerPriority")), "Whether the team's tasks stop its own lower ones", "field_preemption"),
                )
            ),
            "What HyperPod task governance was set to",
        ),
        Field(
            "monitoring",
            Group(
                (
                    Field("cluster_health", _SIGNAL, "Nodes and cluster state", SIGNALS["cluster_health"]),
                    Field("queue_wait", _SIGNAL, "How long tasks wait", SIGNALS["queue_wait"]),
                    Field("share_held", _SIGNAL, "How much of the share is held", SIGNALS["share_held"]),
                    Field("stops", _SIGNAL, "How often tasks are stopped", SIGNALS["stops"]),
                    Field("cost", _SIGNAL, "What it costs", SIGNALS["cost"]),
                )
            ),
            "The five signals",
        ),
        Field(
            "lifecycle",
            Group(
                (
                    Field("status", Choice(("draft", "approved", "revoked", "decommissioned")), "State of the agreement", "field_status"),
                    Field("approved_by", _NAME, "Who approved it", "field_approved_by", apart=True),
                    Field("approved_on", Date(), "When it was approved", "field_approved_on", apart=True),
                    Field("begins", Date(), "First day, if later than the approval", "field_begins"),
                    Field("until", Date(), "Last day; leave it out for no end date", "field_until", apart=True),
                    Field("revoked_on", Date(), "When it was revoked", "field_revoked_on"),
                    Field("review_every", _PERIOD, "How often it is reviewed", "field_review_every"),
                    Field("next_review", Date(), "Day of the next review; a missed one ends nothing", "field_next_review", apart=True),
                    Field("decommission_on", Date(), "Day after which the connection is gone", "field_decommission_on"),
                    Field("decommission_plan", Text(most=2000, lines=True), "What happens to tasks, data and roles then", "field_decommission_plan"),
                )
            ),
            "From approval to decommission",
        ),
        Field(
            "exceptions",
            Items(
                Group(
                    (
                        Field("what", Text(most=1000, lines=True), "What is granted", required=True, apart=True),
                        Field("approver", _NAME, "Who granted it", apart=True),
                        Field("on", Date(), "When", apart=True),
                        Field("until", Date(), "Until when", apart=True),
                    )
                ),
                100,
            ),
            "Exceptions to this contract",
            "field_exceptions",
            apart=True,
        ),
        Field(
            "decisions",
            Items(
                Group(
                    (
                        Field("date", Date(), "When", apart=True),
                        Field("by", _NAME, "By whom", apart=True),
                        Field("what", Text(most=1000, lines=True), "What was decided", required=True, apart=True),
                    )
                ),
                100,
            ),
            "Decisions on this contract",
            "field_decisions",
            apart=True,
        ),
        Field(
            "reviewed_against",
            Group(
                (
                    Field("on", Date(), "Day of the last review", "field_reviewed_on"),
                    Field("project_role", _ROLE, "Project role then", "field_reviewed_project_role"),
                    Field("access_role", _ROLE, "Access role then", "field_reviewed_access_role"),
                    Field("region", _REGION, "Region then", "field_reviewed_region"),
                    Field("version", Text(most=64), "Version of the orchestrator then, in quotes", "field_reviewed_version"),
                    Field("quota", Text(most=500, lines=True), "Quota then", "field_reviewed_quota"),
                )
            ),
            "What the last review saw",
        ),
    ),
    own_names=True,
)


def contract_schema() -> dict[str, Any]:
    """What wire/contract.schema.json holds."""
    return json_schema(CONTRACT, "Connection contract of hpgov_jlab", "https://hpgov-jlab.invalid/contract.schema.json")
