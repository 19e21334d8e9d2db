#!/bin/bash
# A real Slurm in one folder, on loopback only, for tests/slurm_rig. Needs root and Debian 12 or 13; no systemd, docker, cgroups or GPUs.
#
#   rig.sh install               installs what is missing, from the distribution's packages
#   rig.sh start                 MariaDB, munged, slurmdbd, slurmctld, slurmd per node, slurmrestd; then users, accounts and QoS
#   rig.sh seed                  submits a fixed zoo of jobs: running, waiting for each reason, preempted, failed ...
#   rig.sh as USER CMD...        runs CMD as that user with the rig's environment
#   rig.sh token USER [SECONDS]  a JWT for that user
#   rig.sh private WORDS|none    sets PrivateData and restarts both daemons that honour it
#   rig.sh down NAME | up NAME   ends or starts slurmctld or slurmdbd
#   rig.sh hang NAME | wake NAME stops a daemon without ending it (SIGSTOP), and lets it go on
#   rig.sh many USER N           submits N waiting jobs
#   rig.sh env | status | stop | purge        purge: stop, and remove the folder and the users that it made
#   rig.sh trixie-install        a folder with Debian 13 (debootstrap), for the newer Slurm
#   rig.sh trixie CMD...         any of the above in that folder, with ports of its own
#
# Environment: RIG (folder), RIG_PORT (first of 20 ports), RIG_NODES, RIG_GPUS, RIG_CPUS, RIG_PRIVATE (PrivateData at the start, or none), RIG_MAXJOBS,
#   RIG_CHROOT (folder of Debian 13), RIG_STOCK=1 (as HyperPod ships Slurm: nothing enforced, no QoS, priority/basic, PrivateData off),
#   RIG_STOCK=bare (the same without any accounting), RIG_INSIDE (the rig's folder inside RIG_CHROOT: two rigs may run there, with other ports).
# Only processes recorded in $RIG/run/*.pid (pid and start time), and this rig's own job processes (by their open log), are ever ended.
set -u
export LC_ALL=C
RIG=${RIG:-/tmp/slurm-rig}
P0=${RIG_PORT:-26800}
NODES=${RIG_NODES:-4}; GPUS=${RIG_GPUS:-8}; CPUS=${RIG_CPUS:-32}
PRIVATE=${RIG_PRIVATE:-jobs,accounts,users,usage,reservations}
MAXJOBS=${RIG_MAXJOBS:-20000}
CLUSTER=rig
CHROOT=${RIG_CHROOT:-/tmp/slurm-rig-trixie}
STOCK=${RIG_STOCK:-}; [ -z "$STOCK" ] || PRIVATE=none
CTLD_PORT=$P0 DBD_PORT=$((P0+1)) DB_PORT=$((P0+2)) REST_PORT=$((P0+3)) SLURMD_PORT0=$((P0+10))
HOSTN=$(hostname -s)
PLUG=/usr/lib/x86_64-linux-gnu/slurm-wlm; [ -d $PLUG ] || PLUG=$(dirname "$(find /usr/lib -name auth_munge.so 2>/dev/null | head -1)" 2>/dev/null)
export SLURM_CONF=$RIG/etc/slurm.conf
RIG_USERS="alice bob carol dave erin opal mallory"      # opal = Slurm operator, dave = coordinator, mallory = no association

log() { printf '%s %s\n' "$(date +%T)" "$*" >&2; }
die() { log "FATAL: $*"; exit 1; }
sm()  { sacctmgr -i -Q "$@" >>"$RIG/log/sacctmgr.out" 2>&1 || log "sacctmgr $* -> rc $?"; }
ver() { slurmctld -V | awk '{print $2}'; }
num() { ver | awk -F. '{printf "%d%02d", $1, $2}'; }     # 22.05.8 -> 2205

# a pid file holds 'pid starttime', so a pid that was reused by a stranger is never taken for ours
born() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }
pid() { local p t; [ -s "$RIG/run/$1.pid" ] && read -r p t <"$RIG/run/$1.pid" || return 1; [ -n "$t" ] && [ "$(born "$p")" = "$t" ] && echo "$p"; }
alive() { local p; p=$(pid "$1") && ! gone "$p"; }
gone() { ! kill -0 "$1" 2>/dev/null || grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null; }     # a zombie is gone, too
end() { local p n=$1; p=$(pid "$n") || { rm -f "$RIG/run/$n.pid"; return 0; }; kill "$p" 2>/dev/null
  for _ in $(seq 1 150); do gone "$p" && break; sleep 0.1; done; gone "$p" || kill -9 "$p"; rm -f "$RIG/run/$n.pid"; log "$n stopped"; }
# bg NAME CMD...: a daemon in the foreground, in its own session, its pid recorded
bg() { local n=$1; shift; setsid "$@" >>"$RIG/log/$n.out" 2>&1 </dev/null & echo "$! $(born $!)" >"$RIG/run/$n.pid"; }
wait_for() { local n=$1 t=$2; shift 2; local i=0; until "$@" >/dev/null 2>&1; do
  i=$((i+1)); [ $i -gt $((t*5)) ] && { tail -5 "$RIG/log/$n".* >&2; die "$n not ready in ${t}s"; }; sleep 0.2; done; log "$n ready"; }

install() {
  export DEBIAN_FRONTEND=noninteractive
  # policy-rc.d: keeps maintainer scripts from starting services (images often have one already)
  local made=; [ -e /usr/sbin/policy-rc.d ] || { printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d; made=1; }
  # mariadb-server-core has mariadbd + mariadb-install-db; the full mariadb-server only adds service files, perl tools, galera
  apt-get install -y --no-install-recommends slurmctld slurmd slurmdbd slurmrestd slurm-client \
     slurm-wlm-jwt-plugin slurm-wlm-mysql-plugin mariadb-server-core mariadb-client-core munge curl jq passwd procps >/tmp/slurm-rig-apt.log 2>&1 \
     || die "apt-get failed, see /tmp/slurm-rig-apt.log"
  [ -n "$made" ] && rm -f /usr/sbin/policy-rc.d; log "installed Slurm $(ver)"
}

trixie_install() { # the mirror is the one that this machine's apt uses
  local c=$CHROOT m; command -v debootstrap >/dev/null || apt-get install -y --no-install-recommends debootstrap >/dev/null || die debootstrap
  m=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' | awk '$2=="bookworm" || $2=="trixie" || $2=="stable" {print $1; exit}')
  [ -x "$c/usr/bin/apt-get" ] || debootstrap --variant=minbase trixie "$c" "$m" >/tmp/slurm-rig-debootstrap.log 2>&1 || die "debootstrap, see /tmp/slurm-rig-debootstrap.log"
  cp -L /etc/resolv.conf /etc/hosts "$c/etc/"; cp "$0" "$c/rig.sh"
  printf '#!/bin/sh\nexit 101\n' >"$c/usr/sbin/policy-rc.d"; chmod 755 "$c/usr/sbin/policy-rc.d"
  in_trixie apt-get update >/dev/null || die "apt-get update in the chroot"; in_trixie bash /rig.sh install
}
# a mount namespace of its own for /dev and /proc: no mount is left behind; the daemons keep theirs
in_trixie() { unshare -m --propagation private bash -c 'c=$1; shift; mount --bind /dev "$c/dev"; mount -t proc proc "$c/proc"; exec chroot "$c" "$@"' x "$CHROOT" \
   env RIG="${RIG_INSIDE:-/rig}" RIG_PORT=$((P0+100)) RIG_PRIVATE="$PRIVATE" RIG_STOCK="$STOCK" "$@"; }

write_conf() {
  local v; v=$(num)
  dd if=/dev/urandom of="$RIG/etc/munge.key" bs=1 count=128 status=none; chown munge:munge "$RIG/etc/munge.key"; chmod 400 "$RIG/etc/munge.key"
  dd if=/dev/urandom of="$RIG/etc/jwt_hs256.key" bs=32 count=1 status=none; chown slurm:slurm "$RIG/etc/jwt_hs256.key"; chmod 400 "$RIG/etc/jwt_hs256.key"
  for i in $(seq 0 $((GPUS-1))); do mknod "$RIG/dev/fakegpu$i" c 1 3; done   # GRES 'devices': nodes like /dev/null (22.05 takes plain files, 24.11 wants device nodes)
  local priv="PrivateData=$PRIVATE"; [ "$PRIVATE" = none ] && priv="#PrivateData off"
  cat >"$RIG/etc/slurmdbd.conf" <<E
AuthType=auth/munge
AuthInfo=socket=$RIG/run/munge.socket
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=$RIG/etc/jwt_hs256.key
DbdHost=$HOSTN
DbdAddr=127.0.0.1
DbdPort=$DBD_PORT
CommunicationParameters=NoInAddrAny
SlurmUser=slurm
PluginDir=$PLUG
LogFile=$RIG/log/slurmdbd.log
PidFile=$RIG/run/slurmdbd.self.pid
DebugLevel=info
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$DB_PORT
StorageUser=slurm
StoragePass=rigpass
StorageLoc=slurm_acct_db
$priv
E
  [ "$v" -lt 2205 ] && sed -i /CommunicationParameters/d "$RIG/etc/slurmdbd.conf"
  chown slurm:slurm "$RIG/etc/slurmdbd.conf"; chmod 600 "$RIG/etc/slurmdbd.conf"
  cat >"$RIG/etc/slurm.conf" <<E
ClusterName=$CLUSTER
SlurmctldHost=$HOSTN(127.0.0.1)
SlurmUser=slurm
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$RIG/run/munge.socket
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=$RIG/etc/jwt_hs256.key
SlurmctldPort=$CTLD_PORT
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
PluginDir=$PLUG
StateSaveLocation=$RIG/state
SlurmdSpoolDir=$RIG/spool/%n
SlurmctldPidFile=$RIG/run/slurmctld.self.pid
SlurmdPidFile=$RIG/run/slurmd-%n.self.pid
SlurmctldLogFile=$RIG/log/slurmctld.log
SlurmdLogFile=$RIG/log/slurmd-%n.log
SlurmctldDebug=info
SlurmdDebug=info
# no cgroups, no containers needed:
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SwitchType=switch/none
MailProg=/bin/true
ReturnToService=2
SlurmdParameters=config_overrides
GresTypes=gpu
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
$priv
# accounting and limits
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$DBD_PORT
# not a password here: the munge socket for talking to slurmdbd (AuthInfo=socket= is not used for that connection)
AccountingStoragePass=$RIG/run/munge.socket
AccountingStorageTRES=gres/gpu
AccountingStorageEnforce=associations,limits,qos,safe
# priority and preemption
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=10000
PriorityWeightJobSize=500
PriorityWeightPartition=2000
PriorityWeightQOS=20000
PriorityWeightTRES=CPU=100,GRES/gpu=1000
PriorityDecayHalfLife=1-0
PriorityCalcPeriod=1
PriorityMaxAge=1-0
PreemptType=preempt/qos
PreemptMode=REQUEUE
PreemptExemptTime=00:00:00
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5,bf_window=10080,bf_continue,sched_interval=5,batch_sched_delay=1,default_queue_depth=200,bf_max_job_test=500
MaxJobCount=$MAXJOBS
MaxArraySize=20001
MinJobAge=86400
KillWait=2
SlurmctldTimeout=30
SlurmdTimeout=60
InactiveLimit=0
E
  if [ -n "$STOCK" ]; then   # AWS's lifecycle scripts set none of these
    sed -i -E '/^(AccountingStorageEnforce|Priority|PreemptType|PreemptExemptTime)/d; s/^PreemptMode=.*/PreemptMode=OFF/' "$RIG/etc/slurm.conf"
  fi
  [ "$STOCK" != bare ] || sed -i '/^AccountingStorage/d' "$RIG/etc/slurm.conf"
  # several slurmd on one host: node name != NodeHostname, a port each, 'slurmd -N name'
  for i in $(seq 1 "$NODES"); do
    echo "NodeName=gpu-$i NodeHostname=$HOSTN NodeAddr=127.0.0.1 Port=$((SLURMD_PORT0+i)) CPUs=$CPUS Boards=1 Sockets=2 CoresPerSocket=$((CPUS/2)) ThreadsPerCore=1 RealMemory=200000 Gres=gpu:h200:$GPUS Feature=h200,ml.p5en State=UNKNOWN"
  done >>"$RIG/etc/slurm.conf"
  cat >>"$RIG/etc/slurm.conf" <<E
PartitionName=gpu    Nodes=ALL Default=YES MaxTime=2-00:00:00 DefaultTime=01:00:00 PriorityJobFactor=10 State=UP
PartitionName=prod   Nodes=ALL MaxTime=UNLIMITED DefaultTime=04:00:00 PriorityJobFactor=50 PriorityTier=1 AllowAccounts=team-production State=UP
PartitionName=short  Nodes=gpu-1 MaxTime=00:30:00 MaxNodes=1 PriorityJobFactor=5 AllowQos=normal,high State=UP
PartitionName=maint  Nodes=gpu-$NODES MaxTime=01:00:00 State=DOWN
PartitionName=hidden Nodes=ALL MaxTime=01:00:00 Hidden=YES AllowGroups=root State=UP
PartitionName=veiled Nodes=ALL MaxTime=01:00:00 Hidden=YES State=UP
PartitionName=closed Nodes=ALL MaxTime=01:00:00 AllowGroups=root State=UP
E
  for i in $(seq 1 "$NODES"); do echo "NodeName=gpu-$i Name=gpu Type=h200 File=$RIG/dev/fakegpu[0-$((GPUS-1))]"; done >"$RIG/etc/gres.conf"
  # cgroup.conf: 'disabled' exists since 23.11; an older slurmd without task/cgroup needs none
  if [ "$v" -ge 2311 ]; then echo 'CgroupPlugin=disabled' >"$RIG/etc/cgroup.conf"; else : >"$RIG/etc/cgroup.conf"; fi
  chmod 644 "$RIG/etc/slurm.conf" "$RIG/etc/gres.conf" "$RIG/etc/cgroup.conf"
}

start() {
  [ "$(id -u)" = 0 ] || die "root needed"
  local S; S=$(date +%s%N)
  mkdir -p "$RIG"/{etc,run,log,state,spool,dev,munge,db,home,out}; chmod 755 "$RIG" "$RIG"/*; chmod 1777 "$RIG/out"
  chown slurm:slurm "$RIG/state"; chown munge:munge "$RIG/munge"; chmod 700 "$RIG/db" "$RIG/munge"
  chown slurm:slurm "$RIG/log"; chmod 1777 "$RIG/log" "$RIG/run"
  for u in $RIG_USERS; do id "$u" >/dev/null 2>&1 || { useradd -m -d "$RIG/home/$u" -s /bin/bash "$u" && echo "$u" >>"$RIG/etc/made-users"; }
    mkdir -p "$RIG/home/$u"; chown "$u": "$RIG/home/$u"; chmod 700 "$RIG/home/$u"; done
  id slurmrest >/dev/null 2>&1 || { useradd -r -M -d /nonexistent -s /usr/sbin/nologin slurmrest && echo slurmrest >>"$RIG/etc/made-users"; }
  [ -s "$RIG/etc/slurm.conf" ] || write_conf

  # 1. MariaDB: own datadir, run by user 'slurm' (no mysql user needed), loopback TCP + socket in the folder
  if ! alive mariadb; then
    chown -R slurm:slurm "$RIG/db"
    [ -d "$RIG/db/mysql" ] || mariadb-install-db --no-defaults --datadir="$RIG/db" --user=slurm --auth-root-authentication-method=normal \
        --skip-test-db --force >"$RIG/log/mariadb-install.out" 2>&1 || die "mariadb-install-db"
    bg mariadb mariadbd --no-defaults --user=slurm --datadir="$RIG/db" --socket="$RIG/run/mysql.sock" --bind-address=127.0.0.1 --port="$DB_PORT" \
        --pid-file="$RIG/run/mariadb.self.pid" --innodb-buffer-pool-size=256M --innodb-lock-wait-timeout=900 --max-allowed-packet=64M \
        --innodb-flush-log-at-trx-commit=0 --skip-log-bin --skip-name-resolve
    wait_for mariadb 60 mariadb --no-defaults --socket="$RIG/run/mysql.sock" -u root -e 'select 1'
    mariadb --no-defaults --socket="$RIG/run/mysql.sock" -u root -e "create database if not exists slurm_acct_db;
      create user if not exists slurm@'127.0.0.1' identified by 'rigpass'; grant all on slurm_acct_db.* to slurm@'127.0.0.1';" || die grants
  fi
  # 2. munged, as user munge; --force: the folder's parents (/tmp) are world-writable
  if ! alive munged; then rm -f "$RIG/run/munge.socket"*
    bg munged setpriv --reuid munge --regid munge --clear-groups munged --foreground --force --key-file="$RIG/etc/munge.key" --socket="$RIG/run/munge.socket" \
       --pid-file="$RIG/munge/munged.pid" --seed-file="$RIG/munge/seed" --log-file="$RIG/munge/munged.log"
    wait_for munged 10 sh -c "munge --socket=$RIG/run/munge.socket -n | unmunge --socket=$RIG/run/munge.socket"
  fi
  # 3. slurmdbd reads slurmdbd.conf beside SLURM_CONF
  [ "$STOCK" = bare ] || alive slurmdbd || { bg slurmdbd setpriv --reuid slurm --regid slurm --clear-groups slurmdbd -D; wait_for slurmdbd 60 sacctmgr -n show cluster; }
  local fresh=; [ "$STOCK" = bare ] || sacctmgr -n -P show cluster format=cluster | grep -qx $CLUSTER || { fresh=1; sm add cluster $CLUSTER; }
  # 4. slurmctld
  local up='scontrol ping | grep -q UP'
  ctld() { bg slurmctld setpriv --reuid slurm --regid slurm --clear-groups slurmctld -D; wait_for slurmctld 60 sh -c "$up"; }
  if ! alive slurmctld; then ctld
    # accounts only now: the TRES gres/gpu is unknown to slurmdbd until slurmctld has registered once. Then a restart, for the
    # partitions' AllowAccounts/AllowQos are resolved at start
    [ -z "$fresh" ] || [ "$STOCK" = bare ] || { accounts; end slurmctld; ctld; }
  fi
  # 5. slurmd x N
  for i in $(seq 1 "$NODES"); do alive "slurmd-gpu-$i" || bg "slurmd-gpu-$i" slurmd -D -N "gpu-$i"; done
  wait_for slurmctld 60 sh -c "[ \$(sinfo -h -N -p gpu -t idle,mix,alloc,comp -o %N | sort -u | wc -l) -eq $NODES ]"
  # 6. slurmrestd: not root, not SlurmUser; loopback TCP, JWT only
  if ! alive slurmrestd; then   # MALLOC_ARENA_MAX=1: else each of its 20 threads keeps its own peak heap (GBs with 10,000 jobs)
    local a="-a rest_auth/jwt"
    # without accounting it does not start unless the plugin for slurmdbd is left out (22.05.8, 24.11.5)
    [ "$STOCK" != bare ] || { [ "$(num)" -lt 2311 ] && a="$a -s openapi/v0.0.38" || a="$a -s slurmctld"; }
    MALLOC_ARENA_MAX=1 SLURM_JWT=daemon SLURMRESTD_SECURITY=disable_unshare_files,disable_unshare_sysv bg slurmrestd setpriv --reuid slurmrest --regid slurmrest --clear-groups \
       slurmrestd $a -f "$SLURM_CONF" "127.0.0.1:$REST_PORT"
    wait_for slurmrestd 30 sh -c "curl -s -o /dev/null http://127.0.0.1:$REST_PORT/openapi/v3"
  fi
  log "up in $(( ($(date +%s%N)-S)/1000000 )) ms: Slurm $(ver), ${fresh:+fresh database, }$NODES nodes x $GPUS GPUs"
  env_
}

accounts() {
  [ -z "$STOCK" ] || { stock_accounts; return; }
  # QoS: high preempts normal/low/scavenge; 'low' is requeued, 'scavenge' is cancelled (so a job can end PREEMPTED)
  sm add qos low      set Priority=10   PreemptMode=requeue Description=preemptible
  sm add qos scavenge set Priority=1    PreemptMode=cancel UsageFactor=0 GraceTime=0
  sm modify qos normal set Priority=100
  sm add qos high     set Priority=1000 Preempt=low,scavenge GrpTRES=gres/gpu=16 MaxWall=1-00:00:00 Flags=DenyOnLimit
  sm add qos research set Priority=200  GrpTRES=gres/gpu=12 MaxTRESPerUser=gres/gpu=8 MaxJobsPerUser=4 MaxSubmitJobsPerUser=12000
  sm add qos tiny     set Priority=50   MaxTRESPerJob=gres/gpu=1 MaxWall=00:30:00 GrpJobs=1
  sm add account org             Parent=root  Description=org  Organization=org  fairshare=100
  sm add account team-research   Parent=org   Description=research   Organization=org fairshare=60 GrpTRES=gres/gpu=28
  sm add account team-production Parent=org   Description=production Organization=org fairshare=40
  sm add account research-nlp    Parent=team-research Description=nlp    Organization=org fairshare=2
  sm add account research-vision Parent=team-research Description=vision Organization=org fairshare=1
  sm add user alice Account=research-nlp    fairshare=10 DefaultAccount=research-nlp    QOS=normal,low,research,tiny,scavenge DefaultQOS=normal
  sm add user alice Account=research-vision fairshare=1 QOS=normal,low DefaultQOS=normal
  sm add user bob   Account=research-vision fairshare=10 DefaultAccount=research-vision QOS=normal,low,research,tiny,scavenge DefaultQOS=normal
  sm add user carol Account=team-production fairshare=10 DefaultAccount=team-production QOS=normal,high DefaultQOS=high MaxJobs=50
  sm add user dave  Account=research-nlp    fairshare=parent DefaultAccount=research-nlp QOS=normal,low DefaultQOS=normal
  sm add user erin  Account=team-production fairshare=1 DefaultAccount=team-production QOS=normal DefaultQOS=normal
  sm modify user root set QOS=normal,low,scavenge,high,research,tiny
  sm add user opal  Account=org AdminLevel=Operator QOS=normal
  sm add coordinator account=research-nlp names=dave
}

# as AWS's setup_user_associations.sh does it: everybody straight under root
stock_accounts() { local u; for u in alice bob carol dave erin; do sm add user "$u" Account=root; done; }

# as USER CMD...: with the rig's environment, in the user's home
as() { local u=$1; shift; local h; h=$(getent passwd "$u" | cut -d: -f6)
  setpriv --reuid "$u" --regid "$(id -g "$u")" --init-groups env -i HOME="$h" USER="$u" LOGNAME="$u" PATH="$PATH" SLURM_CONF="$SLURM_CONF" LC_ALL=C \
     sh -c 'cd "$HOME" 2>/dev/null || cd /; exec "$@"' sh "$@"; }
sb() { local u=$1; shift; as "$u" sbatch --parsable -o "$RIG/out/%j.out" "$@"; }
token() { scontrol token username="$1" lifespan="${2:-3600}" | sed 's/^SLURM_JWT=//'; }
rest() { curl -s -H "X-SLURM-USER-NAME: $1" -H "X-SLURM-USER-TOKEN: $(token "$1")" "http://127.0.0.1:$REST_PORT$2"; }

# seed: with 4 nodes x 8 GPUs. Prints 'name jobid'.
seed() {
  local W='--wrap=sleep 36000' j
  s() { local n=$1 u=$2; shift 2; j=$(sb "$u" -J "$n" "$@" 2>>"$RIG/log/seed.err") && echo "$n $j $u" | tee -a "$RIG/run/seed.txt"; }
  s done       alice -q normal -t 5  --gres=gpu:1 '--wrap=exit 0'
  s failed     alice -q normal -t 5  --gres=gpu:1 '--wrap=exit 3'
  s timeout    bob   -q normal -t 1  '--wrap=sleep 600'
  s array-ok   bob   -q normal -t 5  -a 1-4%2 '--wrap=exit 0'
  s cancelled  bob   -q normal -t 60 --gres=gpu:1 -H "$W"; scancel "$j"
  sleep 6
  s scav       bob   -q scavenge -t 1:00:00 -N1 --exclusive --gres=gpu:8 --no-requeue "$W"     # ends PREEMPTED
  s low-req    alice -q low -t 2:00:00 -N1 --exclusive --gres=gpu:8 --requeue "$W"             # ends requeued, pending
  s run-res    alice -q research -t 6:00:00 --gres=gpu:4 -n4 "$W"
  s run-res2   bob   -q research -t 3:00:00 --gres=gpu:8 -n8 "$W"                              # fills GrpTRES=gres/gpu=12 of the QoS
  sleep 4
  s qosgrp     alice -q research -t 1:00:00 --gres=gpu:2 "$W"                                 # QOSGrpGRES
  s qosuser    bob   -q research -t 1:00:00 --gres=gpu:1 "$W"                                 # QOSMaxGRESPerUser / QOSGrpGRES
  s prod-big   carol -q high -p prod -t 8:00:00 -N2 --exclusive --gres=gpu:8 "$W"              # preempts scav and low-req
  sleep 12
  s assocgrp   bob   -q normal -t 1:00:00 -N2 --gres=gpu:8 "$W"                                # Resources or AssocGrpGRES
  s resources  erin  -q normal -t 4:00:00 -N4 --exclusive --gres=gpu:8 "$W"                    # Resources
  s priority   alice -q low -t 30:00 -N2 --gres=gpu:8 "$W"                                     # Priority
  s priority2  bob   -q low -t 30:00 -N1 --gres=gpu:8 "$W"
  s depend     alice -q normal -t 10 -d afterok:"$(awk '$1=="run-res"{print $2}' "$RIG/run/seed.txt" | tail -1)" "$W"   # Dependency
  s begin      alice -q normal -t 10 --begin=now+2hours "$W"                                   # BeginTime
  s held       bob   -q normal -t 10 -H "$W"                                                   # JobHeldUser
  s adminheld  bob   -q normal -t 10 "$W"; scontrol hold "$j"                                  # JobHeldAdmin
  s tiny1      alice -q tiny -t 20 "$W"
  s tiny2      bob   -q tiny -t 20 "$W"                                                        # QOSGrpJobsLimit
  s arr-pend   alice -q low -t 20 -a 0-9%2 --gres=gpu:8 "$W"                                   # a pending array: one record until split
  s partdown   alice -q normal -p maint -t 20 "$W"                                             # PartitionDown
  scontrol create reservation=maint-window starttime=now+1days duration=120 users=root nodes=gpu-1 flags=maint,ignore_jobs >>"$RIG/log/seed.err" 2>&1
  sleep 12
}

many() { # all nodes x all GPUs each, so they stay pending behind 'seed'; MaxJobCount is RIG_MAXJOBS
  local u=$1 n=$2
  as "$u" sh -c "i=0; while [ \$i -lt $n ]; do sbatch -Q -J bulk\$i -q low -t 10 --gres=gpu:8 -N$NODES -o /dev/null --wrap='sleep 60' >/dev/null || exit 1; i=\$((i+1)); done"
}

env_() {
  cat <<E
export RIG=$RIG RIG_PORT=$P0
export SLURM_CONF=$SLURM_CONF
export SLURMRESTD_URL=http://127.0.0.1:$REST_PORT
# ports: slurmctld $CTLD_PORT, slurmdbd $DBD_PORT, MariaDB $DB_PORT (socket $RIG/run/mysql.sock), slurmrestd $REST_PORT, slurmd $((SLURMD_PORT0+1))-$((SLURMD_PORT0+NODES))
# JWT: rig.sh token alice    munge socket: $RIG/run/munge.socket    logs: $RIG/log
E
}
status() { for f in "$RIG"/run/*.pid; do n=$(basename "$f" .pid); case $n in *.self) ;; *) alive "$n" && echo "$n up $(pid "$n")" || echo "$n down";; esac; done; scontrol ping; sinfo; }
# ours: pids of this rig's slurmstepd's (they outlive slurmd; known by their open log file in our folder) and of what they run
tree() { echo "$1"; local c; for c in $(pgrep -P "$1"); do tree "$c"; done; }
ours() { local p f l; for p in $(pgrep slurmstepd); do for f in /proc/"$p"/fd/*; do for l in "$RIG"/log/slurmd-*.log; do
    [ "$f" -ef "$l" ] && { tree "$p"; break 2; }; done; done; done; }     # -ef: by inode, so it holds across chroots
stop() { # no scancel: it takes minutes with 10,000 jobs. Pending jobs survive a stop/start (state folder), running ones are requeued or lost.
  local n sd p; sd=$(cd "$RIG/run" 2>/dev/null && ls slurmd-*.pid 2>/dev/null | grep -v self | sed 's/.pid$//')
  end slurmrestd; end slurmctld
  for n in $sd; do alive "$n" && kill "$(pid "$n")"; done
  for n in $sd; do end "$n"; done
  for p in $(ours); do kill -9 "$p" 2>/dev/null; done
  for n in slurmdbd munged mariadb; do end "$n"; done
}
purge() { stop; [ -s "$RIG/etc/made-users" ] && while read -r u; do userdel "$u" 2>/dev/null; done <"$RIG/etc/made-users"; rm -rf "$RIG"; }

# PrivateData has to stand in both files, and both daemons read it at their start
private() {
  local f
  for f in slurm slurmdbd; do
    sed -i '/^#\?PrivateData/d' "$RIG/etc/$f.conf"
    [ "$1" = none ] || sed -i "1i PrivateData=$1" "$RIG/etc/$f.conf"
  done
  down slurmctld; down slurmdbd; up slurmdbd; up slurmctld
}
down() { end "$1"; }
up() {
  case $1 in
    slurmdbd) alive slurmdbd || { bg slurmdbd setpriv --reuid slurm --regid slurm --clear-groups slurmdbd -D; wait_for slurmdbd 60 sacctmgr -n show cluster; };;
    slurmctld) alive slurmctld || { bg slurmctld setpriv --reuid slurm --regid slurm --clear-groups slurmctld -D; wait_for slurmctld 60 sh -c 'scontrol ping | grep -q UP'; };;
    *) die "up slurmdbd or slurmctld";;
  esac
}
hang() { kill -STOP "$(pid "$1")"; }
wake() { kill -CONT "$(pid "$1")"; wait_for "$1" 60 sh -c 'scontrol ping | grep -q UP'; }

c=${1:-}; [ $# -gt 0 ] && shift
case $c in
  install) install;; start) start;; seed) seed;; env) env_;; as) as "$@";; token) token "$@";; rest) rest "$@";; many) many "$@";;
  trixie-install) trixie_install;; trixie) cp "$0" "$CHROOT/rig.sh"; in_trixie bash /rig.sh "$@";;
  private) private "$1";; down) down "$1";; up) up "$1";; hang) hang "$1";; wake) wake "$1";; status) status;; stop) stop;; purge) purge;; *) sed -n '2,25p' "$0"; exit 2;;
esac
