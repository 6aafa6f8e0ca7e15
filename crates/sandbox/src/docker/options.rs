//! A container as the engine is asked for it: what locks it up, and what it is made of.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use bollard::models::{
    ContainerCreateBody, HostConfig, HostConfigCgroupnsModeEnum, HostConfigLogConfig, Mount, MountBindOptions,
    MountType, MountVolumeOptions, MountVolumeOptionsDriverConfig, ResourcesUlimits,
};

use super::owner::{LABEL, OwnerProcess};
use crate::image::Image;
use crate::layout::disk_size;
use crate::worker::{NETWORK, TASKS_PER_PROCESS};

/// How long starting may take.
pub(super) const STARTING: Duration = Duration::from_secs(60);

/// A folder that is shown empty: a place for messages that outlive processes.
pub(super) const MESSAGES: &str = "/dev/mqueue";

/// How much more memory than its programs' a container may take before the kernel steps in: the worker's own, and what a
/// program can grab between two looks at it. The limit itself is kept by the worker, the same in every back end.
const MARGIN: u64 = 1 << 30;

/// Beyond this, a limit of memory means none.
const UNLIMITED: u64 = 1 << 60;

/// The kernel's own limit on process numbers; it refuses a larger one.
const MOST_TASKS: i64 = 1 << 22;

/// Connections that were closed would keep their ports from the next task for a minute.
const NO_WAIT: (&str, &str) = ("net.ipv4.tcp_max_tw_buckets", "0");

/// What differs from container to container.
pub(super) struct ContainerOptions<'a> {
    pub(super) image: &'a Image,
    pub(super) owner: &'a OwnerProcess,
    /// Who process 1 is: user and group, as numbers.
    pub(super) user: String,
    /// How the worker is called.
    pub(super) command: Vec<String>,
    /// What the worker is told, after `contained`.
    pub(super) arguments: Vec<String>,
    pub(super) mounts: Vec<Mount>,
    /// Containers whose volumes it shows.
    pub(super) volumes_from: Vec<String>,
    /// Folders in memory, with their mount options.
    pub(super) tmpfs: HashMap<String, String>,
    /// How much memory its programs and folders may take, in bytes.
    pub(super) memory: u64,
    /// How many processes they may be.
    pub(super) processes: u32,
    /// The running container whose network it joins; one of its own, without any way out, if there is none.
    pub(super) joins: Option<String>,
}

impl ContainerOptions<'_> {
    /// The request for it.
    pub(super) fn request(self) -> ContainerCreateBody {
        ContainerCreateBody {
            image: Some(self.image.name.clone()),
            entrypoint: Some(self.command.clone()),
            cmd: Some([vec!["contained".into()], self.arguments.clone()].concat()),
            user: Some(self.user.clone()),
            // Comes with the network.
            hostname: self.joins.is_none().then(|| "sandbox".into()),
            working_dir: Some("/".into()),
            labels: Some(labels(self.owner)),
            // The worker's input ends when the harness does, and the worker with it.
            open_stdin: Some(true),
            stdin_once: Some(true),
            attach_stdin: Some(true),
            attach_stdout: Some(true),
            attach_stderr: Some(true),
            host_config: Some(self.locks()),
            ..ContainerCreateBody::default()
        }
    }

    /// All that keeps it in its place.
    fn locks(self) -> HostConfig {
        let memory = self.memory.saturating_add(MARGIN);
        // Zero is an engine's word for none.
        let memory = i64::try_from(memory).ok().filter(|_| memory < UNLIMITED).unwrap_or(0);
        let tasks =
            i64::from(self.processes).saturating_mul(TASKS_PER_PROCESS.into()).saturating_add(65).min(MOST_TASKS);
        let no_core = ResourcesUlimits { name: Some("core".into()), soft: Some(0), hard: Some(0) };
        let network = NETWORK.into_iter().chain([NO_WAIT]);
        HostConfig {
            auto_remove: Some(true),
            readonly_rootfs: Some(true),
            cap_drop: Some(vec!["ALL".into()]),
            security_opt: Some(vec!["no-new-privileges".into()]),
            network_mode: Some(self.joins.as_ref().map_or("none".into(), |id| format!("container:{id}"))),
            ipc_mode: Some("private".into()),
            cgroupns_mode: Some(HostConfigCgroupnsModeEnum::PRIVATE),
            mounts: Some(self.mounts),
            volumes_from: Some(self.volumes_from),
            tmpfs: Some(self.tmpfs),
            memory: Some(memory),
            memory_swap: Some(memory),
            pids_limit: Some(tasks),
            ulimits: Some(vec![no_core]),
            // All that a program could write to there is about itself: that it is to be spared when the machine runs out of
            // memory, say.
            readonly_paths: Some(vec!["/proc".into()]),
            oom_score_adj: Some(1000),
            sysctls: self
                .joins
                .is_none()
                .then(|| network.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()),
            // What the worker says is for us; a log on the engine's disk would grow with each task.
            log_config: Some(HostConfigLogConfig { typ: Some("none".into()), config: None }),
            ..HostConfig::default()
        }
    }
}

/// What all that is ours carries.
pub(super) fn labels(owner: &OwnerProcess) -> HashMap<String, String> {
    HashMap::from([(LABEL.to_owned(), owner.label())])
}

/// The options of a folder that is shown empty.
pub(super) const EMPTY: &str = "ro,nosuid,nodev,size=4k,mode=0555";

/// The options of a folder in memory, for this user and group.
pub(super) fn scratch(bytes: u64, (user, group): (u32, u32)) -> String {
    let (bytes, names) = disk_size(bytes);
    format!("rw,exec,nosuid,nodev,size={bytes},nr_inodes={names},mode=0755,uid={user},gid={group}")
}

/// A volume without a name, which comes and goes with its container. With options, it is memory.
pub(super) fn volume(target: &str, owner: &OwnerProcess, tmpfs: Option<String>) -> Mount {
    let driver = |options: String| {
        let options = [("type", "tmpfs"), ("device", "tmpfs"), ("o", options.as_str())];
        MountVolumeOptionsDriverConfig {
            name: Some("local".into()),
            options: Some(options.map(|(name, value)| (name.to_owned(), value.to_owned())).into()),
        }
    };
    Mount {
        typ: Some(MountType::VOLUME),
        target: Some(target.into()),
        volume_options: Some(MountVolumeOptions {
            labels: Some(labels(owner)),
            driver_config: tmpfs.map(driver),
            ..MountVolumeOptions::default()
        }),
        ..Mount::default()
    }
}

/// A file or folder of this machine, without what is mounted below it.
pub(super) fn bind(source: &Path, target: &str, read_only: bool) -> Mount {
    Mount {
        typ: Some(MountType::BIND),
        source: Some(source.display().to_string()),
        target: Some(target.into()),
        read_only: Some(read_only),
        bind_options: Some(MountBindOptions { non_recursive: Some(true), ..MountBindOptions::default() }),
        ..Mount::default()
    }
}
