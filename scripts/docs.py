"""`python -m scripts.docs [--check]`: writes the generated tables of docs/, or says which pages differ and exits with 1.

A table stands between `<!-- generated: NAME -->` and `<!-- end -->`; everything else on a page is written by hand.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from hpgov_jlab import bounded, reads
from hpgov_jlab.answers.records import MOST_CLAIMED
from hpgov_jlab.answers.slurm import MOST_ACCOUNTS
from hpgov_jlab.answers.team import MOST_QUEUES
from hpgov_jlab.policy import aws, kubernetes, slurm
from hpgov_jlab.policy.aws import Reader
from hpgov_jlab.policy.kubernetes import Grant, Operation
from hpgov_jlab.scheduling.detail import MOST_PODS
from hpgov_jlab.settings import HpgovSettings
from hpgov_jlab.sources.aws import s3, transport
from hpgov_jlab.sources.files import contracts, typed
from hpgov_jlab.sources.kubernetes import lists
from hpgov_jlab.sources.kubernetes import transport as kubernetes_transport
from hpgov_jlab.words import WORDS

DOCS = Path(__file__).resolve().parents[1] / "docs"
BLOCK = re.compile(r"(<!-- generated: (?P<name>[a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)

READERS: dict[Reader, str] = {
    Reader.PROJECT: "project role (Unified Studio)",
    Reader.ACCESS: "access role",
    Reader.EXECUTION: "execution role (Studio)",
    Reader.OWN: "own identity (Space, pod, elsewhere)",
}
GRANTS: dict[Grant, str] = {Grant.EVERYONE: "every signed-in identity", Grant.TEAM: "*team*", Grant.COHORT_READER: "*cohort reader*"}


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def _codes(values: Iterable[str]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def _for(purposes: Iterable[str]) -> str:
    """The words of the Access tab, where "this table" is the tab's own."""
    return "; ".join("rights asked about before a read" if code == "needed_access" else WORDS[code].text for code in purposes)


# -- places.md ----------------------------------------------------------------------------------------------------------------
def traits() -> str:
    """Every trait, from the class's own help texts."""
    rows = []
    own = HpgovSettings.class_own_traits(config=True)
    for name, trait in ((n, own[n]) for n in vars(HpgovSettings) if n in own):  # in the order of the class
        default = trait.default()
        shown = "" if default in ("", [], {}) else f"`{str(default).lower() if isinstance(default, bool) else default}`"
        kinds = {"Unicode": "text", "Bool": "true or false", "List": "list", "Dict": "mapping", "Int": "number"}
        kind = kinds.get(type(trait).__name__, type(trait).__name__)
        if kind == "Enum":
            kind = "one of " + _codes(v for v in trait.values if v)
        if kind == "number":
            kind = f"{trait.min} to {trait.max}"
        rows.append((f"`{name}`", kind, shown, trait.help))
    return table(("setting", "kind", "default", "what it says"), rows)


# -- access.md ----------------------------------------------------------------------------------------------------------------
def aws_reads() -> str:
    rows = []
    for a in aws.ALLOWED:
        readers = "everybody" if a.readers == frozenset(Reader) else "; ".join(text for reader, text in READERS.items() if reader in a.readers)
        resource = f"`{a.resource}`" if a.granted else "needs no permission"
        rows.append((f"`{a.action}`", readers, resource, _for(a.purposes)))
    return table(("IAM action", "called as", "resource", "needed for"), rows)


def _where(operation: Operation) -> str:
    if operation is kubernetes.NAMESPACE:
        return "the team's namespace, by name"
    return ("the team's namespace" if operation.namespaced else "the cluster") + (", by name" if operation.named else "")


def kubernetes_reads() -> str:
    return table(
        ("request", "where", "granted by", "needed for"),
        [(f"`{o.source}`", _where(o), GRANTS[o.grant], _for(o.purposes)) for o in kubernetes.ALLOWED],
    )


def _command(shape: slurm.Shape) -> str:
    """The argv, its list of columns left out."""
    words = [re.sub(r"^(--Format|--format|format)=.*", r"\1=...", word) for word in shape.args]
    return " ".join([shape.binary, *words])


def _request(endpoint: slurm.Endpoint) -> str:
    query = "&".join(f"{key}={value}" for key, value in endpoint.query)
    return endpoint.source + (f"?{query}" if query else "")


def slurm_reads() -> str:
    asked = [(_command(shape), shape.read, shape.purposes) for shape in slurm.COMMANDS] + [(_request(e), e.read, e.purposes) for e in slurm.ENDPOINTS]
    rows = [(f"`{sent}`", WORDS[read].text, _for(purposes)) for sent, read, purposes in asked]
    return table(("command, or request to slurmrestd", "what is read", "needed for"), rows)


# -- security.md --------------------------------------------------------------------------------------------------------------
def profile_calls() -> str:
    """What an AWS profile may make botocore call to get its keys."""
    return "- " + _codes(f"{service}:{operation}" for service, operation in sorted(aws.KEYS_OF_A_PROFILE)) + "\n"


def questions() -> str:
    """What self-reviews may ask, by verb."""
    verbs: dict[str, list[str]] = {}
    for verb, group, resource, subresource in sorted(kubernetes.QUESTIONS):
        name = f"{resource}/{subresource}" if subresource else resource
        verbs.setdefault(verb, []).append(f"{name}.{group}" if group else name)
    return table(("may I", "what"), [(verb, _codes(names)) for verb, names in verbs.items()])


def _size(count: int) -> str:
    for unit, name in ((1024 * 1024, "MiB"), (1024, "KiB")):
        if count % unit == 0:
            return f"{count // unit} {name}"
    return f"{count} bytes"


def limits() -> str:
    """Bounds on what comes in, from the constants that hold them."""
    b = bounded.LIMITS
    rows = [
        ("a contract, the platform file, a kubeconfig", f"{_size(b.bytes)}; {b.documents} documents; nested {b.depth} deep; {b.digits} digits a number"),
        ("the same, aliases and merges counted as if written out", f"{b.nodes:,} values, {b.text:,} characters"),
        ("the contract folder", f"the first {contracts.MOST_FILES} files by name; refused above {contracts.MOST_NAMES:,} names"),
        ("contracts in S3", f"{aws.MAX_OBJECTS} objects per prefix, one page; {_size(s3.OBJECT_LIMIT)} of each, by a range request"),
        ("namespaces that only self-declared records name", f"{MOST_CLAIMED} per connection are asked about; the others say that they are not"),
        ("queues of a namespace", f"{MOST_QUEUES} are read, those first that most tasks name; how many are left out is told"),
        ("pods on a task's page", f"{MOST_PODS} are listed, those in trouble first; how many more there are and their states are told as sums"),
        ("accounts of a Slurm user", f"jobs of {MOST_ACCOUNTS} are read; how many are left out is told"),
        ("namespaces typed in the panel", f"{typed.MOST_NAMES} per connection; a settings file of {_size(typed.MOST_BYTES)}"),
        ("one answer of AWS", f"{_size(transport.BODY_LIMIT)} decoded"),
        ("one answer of an API server", f"{_size(kubernetes_transport.BODY_LIMIT)} decoded; of an error {_size(kubernetes_transport.ERROR_LIMIT)}"),
        ("one list of an API server", f"{lists.PAGE} objects a page, {lists.PAGES} pages, {_size(lists.BYTES)} decoded; a list that is cut says so"),
        ("self-reviews", f"{kubernetes.REVIEWS_PER_NAMESPACE} per API server and namespace in {kubernetes.REVIEW_SECONDS:.0f} s; an answer is kept as long"),
        ("threads that read", f"{reads.WORKERS_PER_LANE} per far end (AWS, each API server, Slurm, files); one that outlives its deadline stays counted"),
        ("data after a failed read", f"{reads.LAST_GOOD_SECONDS / 3600:.0f} h, with its age, and only where the failure is no refusal"),
        ("data that nobody asks for", f"dropped after {reads.FORGET_SECONDS / 60:.0f} min"),
    ]  # fmt: skip
    return table(("what", "at most"), rows)


BLOCKS: dict[str, Callable[[], str]] = {
    "traits": traits,
    "aws-reads": aws_reads,
    "kubernetes-reads": kubernetes_reads,
    "slurm-reads": slurm_reads,
    "profile-calls": profile_calls,
    "questions": questions,
    "limits": limits,
}


def pages(folder: Path = DOCS) -> dict[Path, str]:
    """Path of each page that has generated tables -> what it has to hold. Raises KeyError for a name that nothing makes."""
    made: dict[Path, str] = {}
    for path in sorted(folder.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        new = BLOCK.sub(lambda m: f"{m[1]}{BLOCKS[m['name']]()}{m[3]}", text)
        if BLOCK.search(text):
            made[path] = new
    return made


def outdated(folder: Path = DOCS) -> list[Path]:
    return [path for path, text in pages(folder).items() if path.read_text(encoding="utf-8") != text]


def main(arguments: Sequence[str]) -> int:
    stale = outdated()
    if "--check" in arguments:
        for path in stale:
            print(f"docs/{path.name} is out of date: run python -m scripts.docs", file=sys.stderr)
        return 1 if stale else 0
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
    print("written: " + (", ".join(path.name for path in stale) or "nothing, all up to date"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
