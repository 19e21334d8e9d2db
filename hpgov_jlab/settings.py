"""Every setting of the server, in one place, read from Jupyter's configuration files.

Put them into a `jupyter_server_config.d/*.json` (or .py) as `HpgovSettings.<trait>`. Roles, accounts, regions and endpoints come from the place
and from these traits only, never from a contract, a manifest or a URL (DESIGN.md 14, S3).
"""

from __future__ import annotations

from traitlets import Bool, Dict, Enum, Int, List, Unicode
from traitlets.config import Configurable


class HpgovSettings(Configurable):
    """Settings of hpgov_jlab."""

    place = Enum(
        ["", "unified_studio", "studio", "space", "pod", "elsewhere"], default_value="", help="Where this server runs, if it should not be found out."
    ).tag(config=True)
    metadata_file = Unicode("", help="Path of SageMaker's resource metadata file; empty: RESOURCE_METADATA_FILE, else its usual path.").tag(config=True)
    profile = Unicode(
        "", help="AWS profile to read with, in place `elsewhere` only. A profile with credential_process also needs allow_process_credentials."
    ).tag(config=True)
    allow_process_credentials = Bool(False, help="Let the profile above run its credential_process.").tag(config=True)
    region = Unicode("", help="AWS region for the place's own calls, where the place does not say it.").tag(config=True)
    connections = List(
        Dict(),
        help=(
            "Clusters to show in places that list none: a list of objects with name, cluster_arn, orchestrator (EKS or SLURM) and optionally access_role, "
            "external_id, namespaces (list)."
        ),
    ).tag(config=True)
    namespaces = List(Unicode(), help="Namespaces of the team, where neither a platform contract nor the connection names them.").tag(config=True)
    kubeconfig = Unicode("", help="Path of a kubeconfig, in place `elsewhere` only. Entries with exec, auth-provider or proxies are refused by name.").tag(
        config=True
    )
    kubeconfig_context = Unicode("", help="Context of that kubeconfig; empty: its current one.").tag(config=True)
    service_account_folder = Unicode("/var/run/secrets/kubernetes.io/serviceaccount", help="Folder of the pod's service account.").tag(config=True)
    slurm_bin = Unicode("", help="Folder of the site's own Slurm commands; empty: /opt/slurm/bin, /usr/bin, /usr/local/bin. Root must own it.").tag(config=True)
    slurm_conf = Unicode("", help="Path of slurm.conf for those commands; empty: their own.").tag(config=True)
    slurm_cluster = Unicode("", help="Name of the HyperPod cluster that this machine's Slurm commands reach, where the project has several on Slurm.").tag(
        config=True
    )
    slurmrestd_url = Unicode("", help="slurmrestd to read instead of the commands: https, or http on loopback, or a unix socket (unix:/path).").tag(config=True)
    slurm_token_file = Unicode("", help="File of mode 0600 with the person's own Slurm JWT, for slurmrestd.").tag(config=True)
    slurm_user = Unicode("", help="Slurm user of that token, where it differs from the server's Unix user.").tag(config=True)
    username = Unicode("", help="The person's id as submitters write it into created-by, where the place does not say it.").tag(config=True)
    contract_folder = Unicode(".hpgov/contracts", help="Folder of self-declared contracts below the project folder.").tag(config=True)
    project_folder = Unicode("", help="The project's folder; empty: the server's root directory.").tag(config=True)
    platform_file = Unicode(
        "", help="Path of hpgov.yaml, in a root-owned configuration folder that the server's user cannot write; empty: the usual places."
    ).tag(config=True)
    contract_prefixes = List(
        Dict(), help="Further S3 prefixes with contracts (bucket, prefix, owner, region): shown as self-declared, since only the platform file makes them more."
    ).tag(config=True)
    cohort_reads = Bool(False, help="Read all ClusterQueues and Cohorts where RBAC allows it, reduced to nameless sums (the cohort reader's manifest).").tag(
        config=True
    )
    endpoint_overrides = Dict(
        value_trait=Unicode(), key_trait=Unicode(), help="AWS service -> https endpoint with an AWS suffix (a VPC endpoint); loopback in the sandbox only."
    ).tag(config=True)
    proxy = Unicode("", help="https proxy for Kubernetes, used by CONNECT only; empty: none, whatever the environment says.").tag(config=True)
    poll_seconds = Int(30, min=15, max=3600, help="How often a visible panel asks; the server's floor wins over the user's setting.").tag(config=True)
    sandbox = Bool(False, help="Set by `jupyter hpgov sandbox`: far ends on loopback with invented data, and every answer marked so.").tag(config=True)
