//! The interpreter that an environment is for.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::room::Room;

/// An interpreter, as far as packages are chosen by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interpreter {
    /// `CPython`.
    pub implementation: String,
    /// Such as `3.11.2`.
    pub version: String,
    /// The newest tag of wheels that its system takes, such as `manylinux_2_36_x86_64`.
    pub platform: String,
}

/// One that was found in a sandbox.
#[derive(Clone, Debug)]
pub(crate) struct FoundInterpreter {
    pub(crate) interpreter: Interpreter,
    /// Where it lies in there, without symbolic links.
    pub(crate) executable: PathBuf,
}

/// One answer a line. Its own question and not [`slopbench_sandbox::Runtime`]'s: that one is of the machine, and this
/// may be a container's.
const QUESTION: &str = "
import os, platform, sys
print(platform.python_implementation())
print(platform.python_version())
print(platform.machine())
print(os.confstr('CS_GNU_LIBC_VERSION') if 'CS_GNU_LIBC_VERSION' in os.confstr_names else '')
print(os.path.realpath(sys.executable))
";

/// The C libraries that uv knows platforms of, by their minor versions, the newest first.
const GLIBC: [u32; 12] = [40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 28, 17];

impl FoundInterpreter {
    /// Asks in a sandbox, since that is where it counts.
    pub(crate) fn ask(room: &Room<'_>) -> Result<Self, Error> {
        let answer = room.ask(&["python3", "-I", "-c", QUESTION])?;
        let lines: Vec<&str> = answer.lines().collect();
        let wrong = || Error::Interpreter(lines.join(", "));
        let [implementation, version, machine, libc, executable] = lines.as_slice() else { return Err(wrong()) };
        let glibc = libc.strip_prefix("glibc 2.").and_then(|minor| minor.split('.').next()?.parse::<u32>().ok());
        let glibc = glibc.and_then(|minor| GLIBC.into_iter().find(|known| *known <= minor)).ok_or_else(wrong)?;
        if *implementation != "CPython" || !["x86_64", "aarch64"].contains(machine) {
            return Err(wrong());
        }
        let interpreter = Interpreter {
            implementation: (*implementation).to_owned(),
            version: (*version).to_owned(),
            platform: format!("manylinux_2_{glibc}_{machine}"),
        };
        Ok(Self { interpreter, executable: PathBuf::from(executable) })
    }
}

impl Interpreter {
    /// `3.11` of `3.11.2`.
    fn minor(&self) -> &str {
        let second = self.version.match_indices('.').nth(1);
        second.map_or(&*self.version, |(at, _)| self.version.get(..at).unwrap_or_default())
    }

    /// The tag of its own wheels, such as `cp311`.
    pub(crate) fn tag(&self) -> String {
        format!("cp{}", self.minor().replace('.', ""))
    }

    /// `x86_64` of `manylinux_2_36_x86_64`, and `manylinux_2_36`.
    fn machine(&self) -> (&str, &str) {
        let machines = ["x86_64", "aarch64"];
        let found = machines.into_iter().find_map(|machine| Some((machine, self.platform.strip_suffix(machine)?)));
        found.map_or(("", &self.platform), |(machine, system)| (machine, system.trim_end_matches('_')))
    }

    /// Its platform as uv calls it.
    pub(crate) fn uv_platform(&self) -> String {
        let (machine, system) = self.machine();
        format!("{machine}-{system}")
    }

    /// Whether what was locked for `self` can be installed for `here`: compiled packages are of one minor version and one
    /// machine, and of a system that is no newer.
    pub(crate) fn serves(&self, here: &Self) -> bool {
        let ((machine, system), (machine_here, system_here)) = (self.machine(), here.machine());
        let glibc = |system: &str| system.rsplit('_').next().and_then(|minor| minor.parse::<u32>().ok());
        self.implementation == here.implementation
            && self.minor() == here.minor()
            && machine == machine_here
            && glibc(system) <= glibc(system_here)
    }
}

impl fmt::Display for Interpreter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} on {}", self.implementation, self.version, self.platform)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn python(version: &str, platform: &str) -> Interpreter {
        Interpreter { implementation: "CPython".into(), version: version.into(), platform: platform.into() }
    }

    #[test]
    fn a_lock_serves_the_same_minor_version_on_a_system_that_is_no_older() {
        let locked = python("3.11.2", "manylinux_2_31_x86_64");
        let serves = |version, platform| locked.serves(&python(version, platform));
        assert!(serves("3.11.9", "manylinux_2_36_x86_64"));
        assert!(!serves("3.1.9", "manylinux_2_36_x86_64"));
        assert!(!serves("3.11.2", "manylinux_2_28_x86_64"));
        assert!(!serves("3.11.2", "manylinux_2_31_aarch64"));
    }

    #[test]
    fn an_interpreter_has_the_names_that_uv_and_wheels_give_it() {
        let python = python("3.12.10", "manylinux_2_36_aarch64");
        assert_eq!((python.tag().as_str(), python.uv_platform().as_str()), ("cp312", "aarch64-manylinux_2_36"));
    }
}
