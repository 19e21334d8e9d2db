"""Which Workload, which object and which pods are one task (facts/kubernetes.md 1.5, 4.3, 5; facts/hyperpod.md 2.7).

Kueue ties a Workload to its owner by ownerReferences, for prebuilt ones by the label job-uid, for pod groups by the group's name. A Deployment has
one Workload per pod, a Space is governed through its pod. Whatever could not be read is None here and never an empty tuple: a Workload
whose owner's kind is not readable has an unknown owner, not a missing one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ..model.kinds import KINDS, TaskObject
from ..model.kubernetes import Meta, Pod
from ..model.kueue import Workload

_POD_BY_POD = ("Deployment", "InferenceEndpointConfig", "JumpStartModel")
"""Kinds whose pods are governed one by one: one Workload each, none for the object (facts/kubernetes.md 4.3)."""


T = TypeVar("T")
Groups = Mapping[str, tuple[T, ...]]


class Unit(Struct, frozen=True, gc=False):
    """What becomes one row. At least one of `workload`, `object`, `pods` is there.

    `kind`, `name` and `uid` are what people know: of the top owner, for one pod of several that are governed one by one its own.
    `owner_gone`: the owner's kind was read in full and the owner is not in it. `pods` None: pods were not readable,
    or the list of them is not whole and has none of this task. `pods_whole` False: there may be more of them.
    """

    uid: str
    kind: str
    name: str
    workload: Workload | None
    object: TaskObject | None
    pods: tuple[Pod, ...] | None
    owner_gone: bool = False
    is_space: bool = False
    pods_whole: bool = True

    @property
    def created_by(self) -> str | None:
        """A claim of whoever wrote the object, its Workload or its pods."""
        metas: list[Meta] = [self.object.metadata] if self.object else []
        if self.workload is not None:
            metas.append(self.workload.metadata)
            metas += [each.template.metadata for each in self.workload.spec.pod_sets]
        metas += [pod.metadata for pod in self.pods or ()]
        return next((meta.created_by for meta in metas if meta.created_by), None)


def display_kind(kind: str) -> str:
    return "Space" if kind == "Workspace" else kind


def stateful_set_of(workload: Workload) -> str | None:
    """Name of the StatefulSet whose pods form this group: Kueue calls the Workload statefulset-NAME-HASH. Older versions name no owner but the pods."""
    owners, name = workload.metadata.owner_references, workload.metadata.name
    if not name.startswith("statefulset-") or not all(owner.kind in ("Pod", "StatefulSet") for owner in owners):
        return None
    return name.removeprefix("statefulset-").rpartition("-")[0] or None


def orphaned_kind(workload: Workload) -> str | None:
    """Kind of the owner that a Workload lost: Kueue calls it KIND-NAME-HASH, in lower case. None where the name tells no kind.

    When an owner is deleted and its dependents are kept, the garbage collector takes the owner reference away and the label with the owner's uid
    stays. Kueue 0.19 then finishes the Workload (OwnerNotFound); 0.12 leaves it admitted (both tried).
    """
    return next((kind for kind in (*(each.kind for each in KINDS), "Pod") if workload.metadata.name.startswith(f"{kind.lower()}-")), None)


def without_variants(workloads: tuple[Workload, ...]) -> tuple[Workload, ...]:
    """Concurrent admission (a gate of 0.19) makes for one task a Workload per flavour beside its own, which is their owner and says how it stands (tried)."""
    uids = {each.metadata.uid for each in workloads}
    return tuple(each for each in workloads if not any(owner.kind == "Workload" and owner.uid in uids for owner in each.metadata.owner_references))


def _owner_gone(workload: Workload, kinds_read: frozenset[str]) -> bool:
    """Nothing that was read is its owner: whether that says that there is none. Not where the owner's kind could not be read."""
    owners = workload.metadata.owner_references
    if not owners:
        return not workload.metadata.labels.job_uid or orphaned_kind(workload) in kinds_read
    owner = workload.metadata.controller
    return owner is not None and owner.kind in kinds_read


class _Index:
    """Everything that was read of one namespace, by uid and by name."""

    def __init__(self, objects: Iterable[TaskObject], pods: tuple[Pod, ...] | None, workloads: tuple[Workload, ...], *, pods_whole: bool = True) -> None:
        self.objects = {each.metadata.uid: each for each in objects}
        self.named = {(each.kind, each.metadata.name): each for each in self.objects.values()}
        self.children = {each.child: each for each in self.objects.values() if each.kind == "RayJob" and each.child}
        self.all_pods_read = pods is not None and pods_whole
        self.pods = {each.metadata.uid: each for each in pods or ()}
        self.workloads = {each.metadata.name: each for each in workloads}
        self.ranked = sorted(self.workloads.values(), key=_rank)  # of several of one owner the last counts
        self.by_owner = {owner.uid: each for each in self.ranked for owner in each.metadata.owner_references}
        self._tops: dict[str, TaskObject] = {}

    def top(self, found: TaskObject) -> TaskObject:
        """The object that a person made: up the controllers that we know. Of a circle it is the same one for all in it, so that they are one row.

        What was found is kept for all on the way: thousands that own each other in a row would else be gone through for each of them.
        """
        way: dict[str, TaskObject] = {}
        at = found
        while (top := self._tops.get(at.metadata.uid)) is None:
            if at.metadata.uid in way:
                top = self.objects[min(list(way)[list(way).index(at.metadata.uid) :])]
                break
            way[at.metadata.uid] = at
            above = self._above(at)
            if above is None:
                top = at
                break
            at = above
        self._tops.update(dict.fromkeys(way, top))
        return top

    def _above(self, found: TaskObject) -> TaskObject | None:
        controller = found.metadata.controller
        above = self.objects.get(controller.uid) if controller else None
        return self.children.get(found.metadata.name) if above is None and found.kind == "RayCluster" else above

    def over_pod(self, pod: Pod) -> TaskObject | None:
        """The top owner of a pod: by its controller's uid, else by the labels that operators put on their pods."""
        meta, labels = pod.metadata, pod.metadata.labels
        controller = meta.controller
        found = self.objects.get(controller.uid) if controller else None
        if found is None and controller is not None and controller.kind == "ReplicaSet":
            found = self.named.get(("Deployment", controller.name.rpartition("-")[0]))  # a ReplicaSet is its Deployment's name and a hash
        if found is None:
            by_label = (
                ("Workspace", labels.workspace), ("HyperPodPyTorchJob", labels.hp_job), ("JobSet", labels.job_set),
                ("RayCluster", labels.ray_cluster), ("Job", labels.batch_job),
                *((kind, labels.training_job) for kind in ("PyTorchJob", "TFJob", "XGBoostJob", "MPIJob", "PaddleJob", "JAXJob")),
            )  # fmt: skip
            found = next((self.named[key] for key in by_label if key[1] and key in self.named), None)
        if found is None:
            return None
        above = self.top(found)
        if above.kind == "Deployment" and labels.workspace:
            return self.named.get(("Workspace", labels.workspace), above)
        return above

    def over_workload(self, workload: Workload) -> TaskObject | None:
        uids = [owner.uid for owner in workload.metadata.owner_references]
        if workload.metadata.labels.job_uid:
            uids.append(workload.metadata.labels.job_uid)
        for uid in uids:
            if uid in self.objects:
                return self.top(self.objects[uid])
            if uid in self.pods:
                return self.over_pod(self.pods[uid])
        group = stateful_set_of(workload)
        if group is not None:
            return self.named.get(("StatefulSet", group))
        owner = workload.metadata.controller
        if owner is not None and owner.kind == "Pod" and not self.all_pods_read:
            for suffixes in (2, 1):  # a Deployment's pod bears its name and two suffixes, a StatefulSet's its number; a Space's also the prefix workspace-
                name = owner.name.rsplit("-", suffixes)[0]
                key = ("Workspace", name.removeprefix("workspace-")) if name.startswith("workspace-") else ("Deployment", name)
                if key in self.named and (suffixes == 2 or key[0] == "Workspace"):
                    return self.top(self.named[key])
        return None


def units(
    workloads: tuple[Workload, ...] | None, objects: Iterable[TaskObject], kinds_read: frozenset[str], pods: tuple[Pod, ...] | None, *, pods_whole: bool = True
) -> tuple[Unit, ...]:
    """Every task of one namespace, once.

    workloads None: not readable; then objects stand alone, and nothing is said of a queue (scheduling/states.py).
    kinds_read: kinds ("Job", "Pod" ...) whose lists were read in full; only of those can an owner be said to be gone.
    pods_whole False: the list of pods is cut, or has one that could not be read.
    """
    if pods is None or not pods_whole:
        kinds_read -= {"Pod"}
    if workloads is not None:
        workloads = without_variants(workloads)
    index = _Index(objects, pods, workloads or (), pods_whole=pods_whole)
    tops = ((index.over_workload(workload), workload) for workload in workloads or ())
    by_object = _grouped((above.metadata.uid, workload) for above, workload in tops if above is not None)
    newest = {uid: _newest(theirs) for uid, theirs in by_object.items()}
    mine = _grouped(_keyed_pods(index, newest))
    claimed = {pod.metadata.uid for theirs in mine.values() for pod in theirs}
    made: list[Unit] = []
    for workload in workloads or ():
        unit = _of_workload(workload, index, newest, kinds_read, mine if pods is not None else None)
        if unit is not None:
            made.append(unit)
    made += _without_workload(index, newest, mine if pods is not None else None)
    for pod in index.pods.values():  # governed, and yet no Workload: the pod waits in silence (facts/hyperpod.md 7.11)
        if workloads is not None and pod.metadata.uid not in claimed and (pod.metadata.labels.kueue_managed == "true" or pod.metadata.labels.queue_name):
            made.append(Unit(pod.metadata.uid, "Pod", pod.metadata.name, None, None, (pod,)))
    return tuple(made if pods_whole else (replace(unit, pods=unit.pods or None, pods_whole=False) for unit in made))


def _grouped(pairs: Iterable[tuple[str, T]]) -> Groups[T]:
    """Key -> all that have it, in their order. Tuples, since the collector of garbage goes through each of thousands of small lists."""
    ordered = sorted(pairs, key=itemgetter(0))
    return {key: tuple(each for _, each in same) for key, same in groupby(ordered, key=itemgetter(0))}


def _keyed_pods(index: _Index, newest: Mapping[str, Workload]) -> Iterator[tuple[str, Pod]]:
    """Every pod that has a task, with its Workload's uid, or the object's where that has no Workload."""
    by_owner = index.by_owner
    by_named_owner = {(owner.kind, owner.name): workload for workload in index.ranked for owner in workload.metadata.owner_references}
    for pod in index.pods.values():
        meta, labels = pod.metadata, pod.metadata.labels
        workload = index.workloads.get(meta.annotations.workload or "") or index.workloads.get(labels.pod_group or "") or by_owner.get(meta.uid)
        if workload is None and meta.controller is not None:
            workload = by_owner.get(meta.controller.uid)
        if workload is None:
            names = (("HyperPodPyTorchJob", labels.hp_job), ("JobSet", labels.job_set), ("Job", labels.batch_job), ("RayCluster", labels.ray_cluster))
            workload = next((by_named_owner[key] for key in names if key[1] and key in by_named_owner), None)
        above = index.over_pod(pod) if workload is None else None
        if above is not None and above.metadata.controller is not None:
            workload = by_owner.get(above.metadata.controller.uid)  # what a person made can't be read, and its Workload names it
        key = workload.metadata.uid if workload is not None else None
        if key is None:
            if above is None:
                continue
            its = newest.get(above.metadata.uid)
            key = its.metadata.uid if its is not None and above.kind not in _POD_BY_POD else above.metadata.uid
        yield key, pod


def _newest(workloads: Sequence[Workload]) -> Workload:
    """The one that is not finished; of several the one that holds quota, else the youngest.

    An elastic task leaves finished slices behind, and while a wider one waits the former runs on (tried on 0.19).
    """
    return max(workloads, key=_rank)


def _rank(each: Workload) -> tuple[bool, bool, float, str]:
    return not each.holds("Finished"), each.holds("QuotaReserved"), each.metadata.created_at or 0.0, each.metadata.uid


def _of_workload(workload: Workload, index: _Index, newest: Mapping[str, Workload], kinds_read: frozenset[str], mine: Groups[Pod] | None) -> Unit | None:
    meta, above = workload.metadata, index.over_workload(workload)
    pods = None if mine is None else mine.get(meta.uid, ())
    if above is None:
        owner, gone = meta.controller, _owner_gone(workload, kinds_read)
        space = owner is not None and owner.kind == "Pod" and owner.name.startswith("workspace-")
        kind, name, uid = (owner.kind, owner.name, owner.uid or meta.uid) if owner is not None else ("Workload", meta.name, meta.uid)
        if owner is not None and owner.kind == "Pod" and owner.uid in index.pods:
            gone = False
            space = space or index.pods[owner.uid].metadata.labels.workspace is not None
        if len(meta.owner_references) > 1:  # a pod group
            stateful_set = stateful_set_of(workload)
            kind, name = ("StatefulSet", stateful_set) if stateful_set is not None else ("PodGroup", meta.name)
            uid, gone = meta.uid, gone and not pods
        # a RayJob's pods are its cluster's: which that is only one of the two objects tells
        whole = kind != "RayJob" or not kinds_read.isdisjoint(("RayJob", "RayCluster"))
        return Unit(uid, "Space" if space else kind, name, workload, None, pods if whole else pods or None, owner_gone=gone, is_space=space, pods_whole=whole)
    owner, space = meta.controller, above.kind == "Workspace"
    if owner is not None and owner.kind == "Pod" and above.kind in _POD_BY_POD:
        return Unit(owner.uid, display_kind(above.kind), f"{above.metadata.name}/{owner.name}", workload, above, pods)
    its = newest[above.metadata.uid]
    if workload is not its and workload.holds("Finished"):
        return None  # an older slice or an earlier life of the same object
    if workload is not its:  # a slice beside the one that runs: a row of its own, named apart
        return Unit(meta.uid, display_kind(above.kind), f"{above.metadata.name}/{meta.name}", workload, above, pods, is_space=space)
    return Unit(above.metadata.uid, display_kind(above.kind), above.metadata.name, workload, above, pods, is_space=space)


def _without_workload(index: _Index, newest: Mapping[str, Workload], mine: Groups[Pod] | None) -> list[Unit]:
    """Top objects that no Workload belongs to: not governed, suspended by their owner, or not yet seen by Kueue."""
    made = []
    for found in index.objects.values():
        uid, controller = found.metadata.uid, found.metadata.controller
        if uid in newest or index.top(found) is not found:
            continue
        if controller is not None and controller.uid in index.by_owner and controller.uid not in index.objects:
            continue  # a part of a task of which only the Workload and this could be read
        pods = None if mine is None else mine.get(uid, ())
        made.append(Unit(uid, display_kind(found.kind), found.metadata.name, None, found, pods, is_space=found.kind == "Workspace"))
    return made
