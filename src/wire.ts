// Generated from hpgov_jlab/wire/api.schema.json by `python -m hpgov_jlab.wire`; do not edit.

/**
 * Who can change an outcome.
 */
export type Ask =
  | 'nobody'
  | 'you'
  | 'project_owner'
  | 'account_admin'
  | 'organisation_admin'
  | 'cluster_admin'
  | 'jupyter_admin'
  | 'contract_owner';
/**
 * The layer of governance that decides what a read met.
 */
export type Layer = 'organisation' | 'project' | 'cluster' | 'workload';
/**
 * Every state of a part. `pending` is the only one that no far end can cause.
 */
export type State =
  | 'ok'
  | 'pending'
  | 'denied'
  | 'absent'
  | 'unreachable'
  | 'throttled'
  | 'expired'
  | 'not_configured'
  | 'invalid';
export type Orchestrator = 'EKS' | 'SLURM' | 'UNKNOWN';
/**
 * Which record wins: the order of this list. Only the first two can be `platform`.
 */
export type Rank = 's3' | 'annotation' | 'file';
/**
 * The lifecycle as of now. A named state for everything that can be found, never skipped.
 */
export type Standing =
  | 'in_force'
  | 'on_record'
  | 'review_due'
  | 'draft'
  | 'not_yet'
  | 'expired'
  | 'revoked'
  | 'decommissioned'
  | 'invalid'
  | 'ambiguous'
  | 'unmatched'
  | 'unknown'
  | 'none';
export type PlaceKind =
  'unified_studio' | 'studio' | 'space' | 'pod' | 'elsewhere';
/**
 * In the one order of DESIGN.md 7: the first that holds.
 */
export type TaskState =
  | 'finished'
  | 'deactivated'
  | 'stopping'
  | 'running'
  | 'starting'
  | 'checking'
  | 'waiting'
  | 'suspended'
  | 'unknown';

export interface Wire {
  AccessPage: AccessPage;
  ConnectionPage: ConnectionPage;
  ConnectionsPage: ConnectionsPage;
  ContractPage: ContractPage;
  ErrorPage: ErrorPage;
  SessionPage: SessionPage;
  SharePage: SharePage;
  TaskPage: TaskPage;
  TasksPage: TasksPage;
}
export interface AccessPage {
  identity: PartIdentity;
  next_fresh_at: number | null;
  notes: Phrase[];
  now: number;
  poll_after_ms: number;
  request: CopyText[];
  rows: AccessRow[];
  sandbox: boolean;
}
export interface PartIdentity {
  as_of: number | null;
  data: Identity | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * Whose identity reads: `arn` from GetCallerIdentity, `username` and groups from SelfSubjectReview.
 */
export interface Identity {
  account: string | null;
  arn: string | null;
  expected: boolean | null;
  groups: string[];
  method: string | null;
  note: Phrase | null;
  username: string | null;
}
/**
 * A code of `words.py` with its named parameters: what travels instead of a sentence.
 */
export interface Phrase {
  code: string;
  params: {
    [k: string]: string | number | null;
  };
}
/**
 * How the last try of a read, or of a part made from several, ended.
 *
 * `at` is seconds since the epoch by this server's clock, None when nothing was tried yet. `source` names the upstream
 * operation ("sagemaker:DescribeCluster", "list workloads.kueue.x-k8s.io"), for the person to quote to an administrator.
 */
export interface Outcome {
  ask: Ask;
  at: number | null;
  code: string;
  layer: Layer;
  params: {
    [k: string]: string | number | null;
  };
  source: string;
  state: State;
}
/**
 * Text finished by a serialiser to be copied (S5). `kind`: iam, trust, rbac, slurm, command, yaml. None text: a value in it may not be copied.
 */
export interface CopyText {
  ask: Ask;
  kind: string;
  text: string | null;
  title: string;
}
/**
 * `read` and `needed_for` are codes of words.py (section access). `last` says allowed (ok) or how it failed; PENDING: not tried.
 */
export interface AccessRow {
  grants: Ask;
  last: Outcome;
  layer: Layer;
  needed_for: string[];
  operation: string;
  read: string;
  scope: string;
}
export interface ConnectionPage {
  card: Card;
  identity: PartIdentity;
  manifest: PartManifestBox;
  namespaces: NamespaceFact[];
  next_fresh_at: number | null;
  now: number;
  poll_after_ms: number;
  sandbox: boolean;
}
/**
 * A connection in the side panel.
 */
export interface Card {
  attention: Phrase[];
  cluster: PartCluster;
  connection: Connection;
  contract: PartContractView;
  counts: PartCounts;
  nodes: PartNodes;
  share: PartGlance;
  slurm_nodes: PartSlurmNodeSums | null;
}
export interface PartCluster {
  as_of: number | null;
  data: Cluster | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * DescribeCluster, reduced. `status` is AWS's word as it came; unknown words are shown, never guessed.
 */
export interface Cluster {
  arn: string;
  created_at: number | null;
  eks_arn: string | null;
  failure: string | null;
  groups: InstanceGroup[];
  name: string;
  node_recovery: string | null;
  orchestrator: string;
  provisioning: string | null;
  status: string;
}
export interface InstanceGroup {
  current: number;
  instance_type: string;
  name: string;
  status: string | null;
  target: number;
}
/**
 * One connection. Two roles on one cluster are two connections (DESIGN.md 11). Facts come from the place's source only (S3).
 */
export interface Connection {
  access_role: string | null;
  account: string | null;
  cluster_arn: string | null;
  cluster_name: string;
  configurations: {
    [k: string]: string;
  };
  connection_id: string | null;
  description: string | null;
  domain_id: string | null;
  id: string;
  name: string;
  namespaces: string[];
  orchestrator: Orchestrator;
  principal: string;
  project_id: string | null;
  project_role: string | null;
  region: string | null;
  source: string;
}
export interface PartContractView {
  as_of: number | null;
  data: ContractView | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
export interface ContractView {
  agreed_until: string | null;
  approved_by: string | null;
  approved_on: string | null;
  decisions: Entry[];
  differences: Difference[];
  exceptions: Entry[];
  facts: Fact[];
  kept: string | null;
  kept_at: number | null;
  line: Phrase | null;
  namespaces: string[];
  next_review: string | null;
  not_compared: string[];
  not_named: string[];
  notes: Phrase[];
  owners: Owner[];
  platform: boolean;
  problems: Problem[];
  purpose: string | null;
  rank: Rank | null;
  record: string | null;
  record_host: string | null;
  service_accounts: string[];
  shares: Share[];
  signals: Signal[];
  slurm_accounts: string[];
  standing: Standing;
  version: string | null;
  why_not_platform: Phrase | null;
  workload_kinds: string[];
}
/**
 * One exception or decision of the record.
 */
export interface Entry {
  by: string | null;
  on: string | null;
  until: string | null;
  what: string;
}
/**
 * Where a lower-ranked record says something else.
 */
export interface Difference {
  field: string;
  here: string | null;
  there: string | null;
  there_kept: string;
}
/**
 * One optional field as recorded: `field` is a code of words.py; an absent field is shown as not recorded, with value None.
 */
export interface Fact {
  field: string;
  value: string | null;
}
export interface Owner {
  contact: string | null;
  escalation: string | null;
  name: string;
  role: string;
}
/**
 * Where and which rule, never the content (S12).
 */
export interface Problem {
  column: number | null;
  file: string;
  line: number | null;
  path: string;
  rule: Phrase;
}
export interface Share {
  count: string;
  instance_type: string;
}
/**
 * One of the five monitoring signals as recorded.
 */
export interface Signal {
  owner: string | null;
  response: string | null;
  signal: string;
  threshold: string | null;
}
export interface PartCounts {
  as_of: number | null;
  data: Counts | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * Tasks by state, each counted once, as the tasks page counts them. `rest`: the states beside running and waiting that any task is in.
 *
 * `running` None: of an admitted task it can't be read whether it runs (it is among the unknown of `rest`); never zero for unknown.
 * `at_least`: a list behind them is not whole, so there may be more.
 */
export interface Counts {
  at_least: boolean;
  rest: {
    [k: string]: number;
  };
  running: number | null;
  waiting: number;
}
export interface PartNodes {
  as_of: number | null;
  data: Nodes | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * ListClusterNodes with logical ids, counted: `by_status` holds every status met, pending ones included.
 */
export interface Nodes {
  by_status: {
    [k: string]: number;
  };
  by_type: {
    [k: string]: number;
  };
  complete: boolean;
  pages: number;
  total: number;
}
export interface PartGlance {
  as_of: number | null;
  data: ShareGlance | LimitGlance | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * The row the card's bar shows: the scarcest accelerator's, else the first.
 */
export interface ShareGlance {
  borrowed: string;
  flavor: string;
  held: string;
  kind: 'kueue';
  nominal: string;
  resource: string;
}
/**
 * A Slurm cluster's bar: of the limits on GPUs the one that is held most. The fields are those of SlurmShareRow.
 */
export interface LimitGlance {
  enforced: boolean | null;
  held: string;
  kind: 'slurm';
  limit: string;
  name: string;
  own: boolean;
  per: 'group' | 'user' | 'account' | 'job' | 'node';
  resource: string;
  scope: 'association' | 'qos';
}
export interface PartSlurmNodeSums {
  as_of: number | null;
  data: SlurmNodeSums | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * All nodes that Slurm shows, without a name. GPUs: in all, held by jobs of everybody, on nodes that take no jobs; what is held may be on those, too.
 * None: Slurm tells of none.
 */
export interface SlurmNodeSums {
  gpus: string | null;
  gpus_away: string | null;
  gpus_held: string | null;
  states: SlurmNodeState[];
  total: number;
}
/**
 * Nodes of one state, in Slurm's own word. `usable`: they take jobs.
 */
export interface SlurmNodeState {
  nodes: number;
  state: string;
  usable: boolean;
}
export interface PartManifestBox {
  as_of: number | null;
  data: ManifestBox | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * What to write in the manifest.
 */
export interface ManifestBox {
  labels: LabelsToCopy[];
  namespaces: NamedBy[];
  priority_classes: PriorityClass[] | null;
  queues: NamedBy[];
  service_accounts: NamedBy[];
}
/**
 * The metadata to paste for one queue of one namespace.
 */
export interface LabelsToCopy {
  copy: CopyText;
  namespace: string;
  queue: string;
}
/**
 * A name and how we know it: read from the cluster, or made by HyperPod's naming rule and marked *not read*.
 */
export interface NamedBy {
  name: string;
  namespace: string | null;
  read: boolean;
}
export interface PriorityClass {
  name: string;
  value: number;
}
/**
 * A namespace in scope, by which record, and whether it is read. `suggested`: a name by rule, offered and not read.
 */
export interface NamespaceFact {
  name: string;
  read: boolean;
  source: string;
  why_not: Phrase | null;
}
export interface ConnectionsPage {
  connections: PartCardList;
  next_fresh_at: number | null;
  now: number;
  poll_after_ms: number;
  sandbox: boolean;
}
export interface PartCardList {
  as_of: number | null;
  data: Card[] | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
export interface ContractPage {
  contract: PartContractView;
  draft: Draft;
  next_fresh_at: number | null;
  now: number;
  others: ContractView[];
  platform_words: Phrase[];
  poll_after_ms: number;
  rights_role: string | null;
  sandbox: boolean;
}
/**
 * A contract to fill in, from what is known. `text` None: a value in it may not be copied (S5).
 */
export interface Draft {
  file_name: string;
  text: string | null;
}
/**
 * 4xx and 5xx of our own edge: the input, the rule, what to do.
 */
export interface ErrorPage {
  code: string;
  params: {
    [k: string]: string | number | null;
  };
}
export interface SessionPage {
  api_version: number;
  floor_seconds: number;
  identity: PartIdentity;
  now: number;
  place: PartPlace;
  poll_after_ms: number;
  sandbox: boolean;
  screens: Phrase[];
  version: string;
}
export interface PartPlace {
  as_of: number | null;
  data: Place | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * Where this server runs and on what evidence (facts/hyperpod.md 1.2). No field is a secret.
 */
export interface Place {
  domain_endpoint: string | null;
  domain_id: string | null;
  domain_region: string | null;
  evidence: string;
  execution_role_arn: string | null;
  kind: PlaceKind;
  namespace: string | null;
  project_id: string | null;
  project_name: string | null;
  region: string | null;
  repository: string | null;
  user_id: string | null;
}
export interface SharePage {
  cluster_notes: Phrase[];
  cohort: PartCohortSumList;
  fairshare: PartSlurmFairshareRowList;
  local_queue: PartStr;
  more_queues: NamespaceQueue[];
  namespace: string | null;
  next_fresh_at: number | null;
  notes: Phrase[];
  now: number;
  orchestrator: Orchestrator;
  partitions: PartSlurmPlaceList;
  poll_after_ms: number;
  queue: PartQueueFacts;
  rows: PartShareRowList;
  sandbox: boolean;
  slurm_nodes: PartSlurmNodeSums;
  slurm_queue: PartSlurmQueueSums;
}
export interface PartCohortSumList {
  as_of: number | null;
  data: CohortSum[] | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * Nameless sums over a cohort, only under the cohort reader's rights. `teams` small means a sum may identify a team.
 */
export interface CohortSum {
  cohort: string;
  flavor: string;
  held: string;
  nominal: string;
  queues: number;
  resource: string;
}
export interface PartSlurmFairshareRowList {
  as_of: number | null;
  data: SlurmFairshareRow[] | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * `used` False: the order does not depend on it here (DESIGN.md 9); None: the configuration is not readable.
 */
export interface SlurmFairshareRow {
  account: string;
  effective_usage: string | null;
  factor: string | null;
  shares: string | null;
  used: boolean | null;
}
export interface PartStr {
  as_of: number | null;
  data: string | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * What the queues of one namespace say. `namespace` None: none is in scope.
 */
export interface NamespaceQueue {
  local_queue: PartStr;
  namespace: string | null;
  queue: PartQueueFacts;
}
export interface PartQueueFacts {
  as_of: number | null;
  data: QueueFacts | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * What the ClusterQueue and LocalQueue say beside numbers. `name_by_rule`: the name was made by HyperPod's rule, not read.
 */
export interface QueueFacts {
  active: boolean | null;
  admitted: number | null;
  borrow_preempts: string | null;
  cluster_queue: string | null;
  cluster_queue_by_rule: boolean;
  cohort: string | null;
  fair_weight: string | null;
  local_queue: string | null;
  local_queue_by_rule: boolean;
  not_active_reason: Phrase | null;
  pending: number | null;
  reclaim: string | null;
  reserving: number | null;
  stop_policy: string | null;
  strategy: string | null;
  within_queue: string | null;
}
export interface PartSlurmPlaceList {
  as_of: number | null;
  data: SlurmPlace[] | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * A partition as the person meets it. `allowed` None: cannot be told, since her associations are not readable. `why`: what keeps her out, or limits her.
 */
export interface SlurmPlace {
  allowed: boolean | null;
  capacity: Amount[];
  default: boolean | null;
  max_seconds: number | null;
  nodes: number | null;
  partition: string;
  state: string;
  why: Phrase[];
}
/**
 * An exact amount: `amount` is a decimal string in the canonical unit of `resource` (cpu: cores, memory: bytes, others: pieces).
 */
export interface Amount {
  amount: string;
  resource: string;
}
export interface PartShareRowList {
  as_of: number | null;
  data: (KueueShareRow | SlurmShareRow)[] | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
export interface KueueShareRow {
  admitted: string | null;
  borrowed: string;
  flavor: string;
  held: string;
  holders: Holder[];
  in_cohort: boolean;
  kind: 'kueue';
  may_borrow_up_to: string | null;
  may_lend_up_to: string | null;
  more_holders: number;
  nominal: string;
  not_attributed: string | null;
  resource: string;
  unclaimed: string;
}
/**
 * A task, Space or other holder of quota, longest first.
 */
export interface Holder {
  amount: string;
  is_space: boolean;
  kind: string;
  mine: boolean | null;
  name: string;
  since: number | null;
  uid: string;
}
/**
 * One limit. `limit` None: none set; `held` None: not told; `enforced` None: the configuration is not readable here.
 *
 * `per` says whom it counts: group (all under the account or QoS), user (you), account (yours, under the QoS), job, node.
 * `resource` is a TRES, or jobs, submitted_jobs, wall (seconds).
 */
export interface SlurmShareRow {
  account: string | null;
  enforced: boolean | null;
  held: string | null;
  holders: Holder[];
  kind: 'slurm';
  limit: string | null;
  name: string;
  not_attributed: string | null;
  own: boolean;
  per: 'group' | 'user' | 'account' | 'job' | 'node';
  resource: string;
  scope: 'association' | 'qos';
}
export interface PartSlurmQueueSums {
  as_of: number | null;
  data: SlurmQueueSums | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * The queue as far as Slurm shows it, without a name. `unread`: rows that are in no sum, since they could not be read.
 */
export interface SlurmQueueSums {
  rows: SlurmQueueRow[];
  unread: number;
}
/**
 * Jobs of one partition, whoever they belong to. A waiting array counts once, as Slurm holds it. `gpus`: held by those that run; None: not told.
 */
export interface SlurmQueueRow {
  gpus: string | null;
  partition: string;
  running: number;
  suspended: number;
  waiting: number;
}
export interface TaskPage {
  detail: PartTaskDetail;
  events: PartMomentList;
  more_pods: MorePods | null;
  next_fresh_at: number | null;
  now: number;
  orchestrator: Orchestrator;
  pods: PartPodFactList;
  poll_after_ms: number;
  sandbox: boolean;
}
export interface PartTaskDetail {
  as_of: number | null;
  data: TaskDetail | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * The task page: why did it die, what happened last night.
 */
export interface TaskDetail {
  conditions: Moment[];
  history: Moment[];
  logs_commands: string[];
  pod_sets: PodSetFact[];
  stops: Stop[];
  task: Task;
}
/**
 * One line of a task's history.
 */
export interface Moment {
  at: number | null;
  text: string | null;
  what: Phrase;
}
export interface PodSetFact {
  count: number;
  flavors: string[];
  min_count: number | null;
  name: string;
  per_pod: Amount[];
}
/**
 * One eviction or preemption: when it ended (epoch seconds, upstream's clock), why (our words), how often for that cause.
 */
export interface Stop {
  at: number | null;
  cause: Phrase;
  count: number;
}
/**
 * One row. Times are epoch seconds by the upstream's clock.
 */
export interface Task {
  created_at: number | null;
  ended: string | null;
  finished_at: number | null;
  flavors: string[];
  kind: string;
  last_stop: Stop | null;
  line_source: string | null;
  mine: boolean | null;
  name: string;
  next_step: Phrase | null;
  place_in_line: number | null;
  pods: number | null;
  priority: number | null;
  priority_class: string | null;
  queue: string | null;
  reason: Phrase | null;
  requested: Amount[];
  scheduler: string;
  scope: string;
  since: number | null;
  started_at: number | null;
  state: TaskState;
  stops: number | null;
  submitter: string | null;
  submitter_claimed: boolean;
  text: string | null;
  uid: string;
  workload: string | null;
}
export interface PartMomentList {
  as_of: number | null;
  data: Moment[] | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
/**
 * Pods of a task beyond those that are listed, as sums. `in_trouble`: those of them that have something to explain.
 *
 * `at_least`: the list of pods is not whole, so there may be more.
 */
export interface MorePods {
  at_least: boolean;
  by_phase: {
    [k: string]: number;
  };
  count: number;
  in_trouble: number;
}
export interface PartPodFactList {
  as_of: number | null;
  data: PodFact[] | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
export interface PodFact {
  containers: ContainerFact[];
  name: string;
  node: string | null;
  phase: string;
  reason: Phrase | null;
  started_at: number | null;
  text: string | null;
}
export interface ContainerFact {
  exit_code: number | null;
  last_exit_code: number | null;
  last_reason: string | null;
  name: string;
  reason: string | null;
  restarts: number;
  state: string;
}
/**
 * A slice of one immutable snapshot; `gone` says that the asked generation is no longer held (reload in place).
 */
export interface TasksPage {
  at_least: boolean;
  by_state: {
    [k: string]: number;
  };
  descending: boolean;
  generation: string;
  generation_gone: boolean;
  limit: number;
  mine_known: boolean;
  mine_why: Phrase | null;
  next_fresh_at: number | null;
  now: number;
  offset: number;
  poll_after_ms: number;
  sandbox: boolean;
  sort: string;
  states: string[];
  tasks: PartTaskList;
  text: string;
  total: number | null;
  whose: string;
}
export interface PartTaskList {
  as_of: number | null;
  data: Task[] | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}
