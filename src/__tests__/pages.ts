// Longer than 400 lines: one table of cases, and whoever adds one has to see the others.
/** Pages as the server sends them, for tests: whole and typed by the wire, so that a change of the API breaks the build of the tests. */
import type {
  AccessPage,
  Card,
  ConnectionPage,
  ConnectionsPage,
  ContractPage,
  ContractView,
  KueueShareRow,
  Outcome,
  SessionPage,
  SharePage,
  State,
  Task,
  TaskPage,
  TasksPage
} from '../wire';

/** The server's clock in every page of these. */
export const NOW = 1_796_000_000;

export const STATES: readonly State[] = [
  'ok',
  'pending',
  'denied',
  'absent',
  'unreachable',
  'throttled',
  'expired',
  'not_configured',
  'invalid'
];

export function outcome(
  state: State = 'ok',
  more: Partial<Outcome> = {}
): Outcome {
  return {
    state,
    code: state === 'ok' ? 'read' : 'not_read_yet',
    source: 'list workloads.kueue.x-k8s.io',
    at: NOW - 12,
    params: {},
    layer: 'cluster',
    ask: 'cluster_admin',
    ...more
  };
}

export function part<T>(
  data: T | null,
  state: State = 'ok',
  more: Partial<Outcome> = {}
) {
  const last = outcome(state, more);
  return {
    data,
    as_of: data === null ? null : NOW - 240,
    last,
    readings: [last],
    skew: null
  };
}

export function contract(more: Partial<ContractView> = {}): ContractView {
  return {
    agreed_until: null,
    approved_by: null,
    approved_on: null,
    decisions: [],
    differences: [],
    exceptions: [],
    facts: [],
    kept: 's3://contracts/vision.yaml',
    kept_at: null,
    line: null,
    namespaces: ['hyperpod-ns-vision'],
    next_review: null,
    not_compared: [],
    not_named: [],
    notes: [],
    owners: [
      {
        role: 'operations',
        name: 'ML platform',
        contact: 'https://chat.example/ml-platform',
        escalation: null
      }
    ],
    platform: true,
    problems: [],
    purpose: null,
    rank: 's3',
    record_host: null,
    record: 'https://wiki.example/vision',
    service_accounts: [],
    shares: [],
    signals: [],
    slurm_accounts: [],
    standing: 'in_force',
    version: 'v1',
    why_not_platform: null,
    workload_kinds: [],
    ...more
  };
}

export function card(more: Partial<Card> = {}): Card {
  return {
    attention: [],
    cluster: part({
      arn: 'arn:aws:sagemaker:us-west-2:111122223333:cluster/abc',
      created_at: NOW - 86400,
      eks_arn: null,
      failure: null,
      groups: [],
      name: 'ml-shared',
      node_recovery: 'Automatic',
      orchestrator: 'EKS',
      provisioning: null,
      status: 'InService'
    }),
    connection: {
      access_role: 'arn:aws:iam::111122223333:role/hpgov-vision',
      account: '111122223333',
      cluster_arn: null,
      cluster_name: 'ml-shared',
      configurations: {},
      connection_id: null,
      description: null,
      domain_id: null,
      id: 'vision-1a2b',
      name: 'vision-training',
      namespaces: [],
      orchestrator: 'EKS',
      principal: 'p',
      project_id: null,
      project_role: null,
      region: 'us-west-2',
      source: 'datazone'
    },
    contract: part(contract()),
    counts: part({
      running: 3,
      waiting: 2,
      rest: { starting: 1 },
      at_least: false
    }),
    nodes: part({
      by_status: { Running: 4 },
      by_type: {},
      complete: true,
      pages: 1,
      total: 4
    }),
    slurm_nodes: null,
    share: part({
      kind: 'kueue' as const,
      flavor: 'ml.p5.48xlarge',
      resource: 'nvidia.com/gpu',
      nominal: '16',
      held: '24',
      borrowed: '8'
    }),
    ...more
  };
}

const page = { now: NOW, poll_after_ms: 15_000, sandbox: false };

export function session(more: Partial<SessionPage> = {}): SessionPage {
  return {
    ...page,
    api_version: 1,
    floor_seconds: 15,
    identity: part({
      account: '111122223333',
      arn: 'arn:aws:sts::111122223333:assumed-role/hpgov-vision/user-42',
      expected: true,
      groups: [],
      method: 'container-role',
      note: null,
      username: null
    }),
    place: part({
      domain_endpoint: null,
      domain_id: null,
      domain_region: null,
      evidence: 'read',
      execution_role_arn: null,
      kind: 'unified_studio' as const,
      namespace: null,
      project_id: 'p-1',
      project_name: 'Vision',
      region: 'us-west-2',
      repository: null,
      user_id: 'user-42'
    }),
    screens: [],
    version: '0.1.0',
    ...more
  };
}

export function connections(
  cards: Card[] = [card()],
  more: Partial<ConnectionsPage> = {}
): ConnectionsPage {
  return { ...page, connections: part(cards), next_fresh_at: null, ...more };
}

export function connectionPage(
  more: Partial<ConnectionPage> = {}
): ConnectionPage {
  return {
    ...page,
    card: card(),
    identity: session().identity,
    manifest: part({
      namespaces: [{ name: 'hyperpod-ns-vision', read: true, namespace: null }],
      queues: [
        {
          name: 'hyperpod-ns-vision-localqueue',
          read: false,
          namespace: 'hyperpod-ns-vision'
        }
      ],
      priority_classes: null,
      service_accounts: [],
      labels: []
    }),
    namespaces: [],
    next_fresh_at: null,
    ...more
  };
}

export function task(uid: string, more: Partial<Task> = {}): Task {
  return {
    created_at: NOW - 7200,
    ended: null,
    finished_at: null,
    flavors: ['ml.p5.48xlarge'],
    kind: 'PyTorchJob',
    last_stop: null,
    line_source: null,
    mine: null,
    name: `job-${uid}`,
    next_step: null,
    place_in_line: null,
    pods: 2,
    priority: 100,
    priority_class: 'training',
    queue: 'hyperpod-ns-vision-localqueue',
    reason: null,
    requested: [
      { resource: 'nvidia.com/gpu', amount: '8' },
      { resource: 'memory', amount: '1099511627776' }
    ],
    scheduler: 'kueue',
    scope: 'hyperpod-ns-vision',
    since: NOW - 3600,
    started_at: NOW - 3600,
    state: 'running',
    stops: null,
    submitter: null,
    submitter_claimed: false,
    text: null,
    uid,
    workload: null,
    ...more
  };
}

export function tasksPage(
  tasks: Task[],
  more: Partial<TasksPage> = {}
): TasksPage {
  return {
    ...page,
    at_least: false,
    by_state: { running: tasks.length },
    descending: false,
    generation: 'g1',
    generation_gone: false,
    limit: 50,
    mine_known: true,
    mine_why: null,
    next_fresh_at: null,
    offset: 0,
    sort: 'state',
    states: [],
    tasks: part(tasks),
    text: '',
    total: tasks.length,
    whose: 'team',
    ...more
  };
}

export function taskPage(more: Partial<TaskPage> = {}): TaskPage {
  return {
    ...page,
    next_fresh_at: null,
    orchestrator: 'EKS',
    detail: part({
      task: task('a', { state: 'finished', ended: 'badly' }),
      history: [],
      stops: [],
      conditions: [],
      pod_sets: [],
      logs_commands: ['kubectl logs -n hyperpod-ns-vision job-a-0']
    }),
    pods: part([
      {
        name: 'job-a-0',
        phase: 'Failed',
        node: 'node-1',
        reason: null,
        text: null,
        started_at: NOW - 600,
        containers: [
          {
            name: 'main',
            state: 'terminated',
            reason: 'OOMKilled',
            exit_code: 137,
            restarts: 2,
            last_reason: 'OOMKilled',
            last_exit_code: 137
          }
        ]
      }
    ]),
    more_pods: null,
    events: part(null, 'denied'),
    ...more
  };
}

export function row(more: Partial<KueueShareRow> = {}): KueueShareRow {
  return {
    kind: 'kueue',
    flavor: 'ml.p5.48xlarge',
    resource: 'nvidia.com/gpu',
    nominal: '16',
    held: '24',
    admitted: '24',
    borrowed: '8',
    unclaimed: '0',
    may_borrow_up_to: null,
    may_lend_up_to: '8',
    in_cohort: true,
    holders: [
      {
        uid: 'a',
        kind: 'PyTorchJob',
        name: 'job-a',
        amount: '16',
        since: NOW - 86_400,
        is_space: false,
        mine: null
      },
      {
        uid: 's',
        kind: 'Space',
        name: 'my-space',
        amount: '1',
        since: NOW - 60,
        is_space: true,
        mine: true
      }
    ],
    not_attributed: '7',
    more_holders: 0,
    ...more
  };
}

export function sharePage(
  rows: SharePage['rows']['data'] = [row()],
  more: Partial<SharePage> = {}
): SharePage {
  return {
    ...page,
    orchestrator: 'EKS',
    rows: part(rows),
    queue: part(null, 'denied'),
    cohort: part(null, 'not_configured'),
    local_queue: part(null, 'denied'),
    namespace: 'hyperpod-ns-vision',
    more_queues: [],
    next_fresh_at: null,
    fairshare: part(null, 'absent', { code: 'not_slurm' }),
    partitions: part(null, 'absent', { code: 'not_slurm' }),
    slurm_nodes: part(null, 'absent', { code: 'not_slurm' }),
    slurm_queue: part(null, 'absent', { code: 'not_slurm' }),
    cluster_notes: [],
    notes: [],
    ...more
  };
}

export function contractPage(more: Partial<ContractPage> = {}): ContractPage {
  return {
    ...page,
    contract: part(contract()),
    next_fresh_at: null,
    others: [],
    platform_words: [],
    draft: { file_name: '.hpgov/contracts/vision.yaml', text: 'kind: x\n' },
    rights_role: 'arn:aws:iam::111122223333:role/hpgov-vision',
    ...more
  };
}

export function accessPage(more: Partial<AccessPage> = {}): AccessPage {
  return {
    ...page,
    next_fresh_at: null,
    identity: session().identity,
    rows: [
      {
        read: 'read',
        operation: 'sagemaker:DescribeCluster',
        scope: 'arn:aws:sagemaker:us-west-2:111122223333:cluster/abc',
        needed_for: ['read'],
        last: outcome('ok'),
        grants: 'account_admin',
        layer: 'project'
      },
      {
        read: 'read',
        operation: 'list workloads.kueue.x-k8s.io',
        scope: 'hyperpod-ns-vision',
        needed_for: ['read'],
        last: outcome('denied'),
        grants: 'cluster_admin',
        layer: 'cluster'
      }
    ],
    request: [
      {
        kind: 'rbac',
        title: 'read',
        text: 'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n',
        ask: 'cluster_admin'
      },
      { kind: 'iam', title: 'read', text: null, ask: 'account_admin' }
    ],
    notes: [],
    ...more
  };
}
