//! System call filters, made of the tables of what is [`refused`].

use std::collections::BTreeMap;

use nix::errno::Errno;
use nix::libc;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};

use super::kind::SandboxKind;
use super::refused::{self, ArgumentTest, RefusalRule, TABLES};
use crate::Error;

/// The filters of this kind of sandbox, to be applied in this order.
pub(crate) fn filters(kind: &SandboxKind) -> Result<Vec<BpfProgram>, Error> {
    let watching = (Errno::ENOSYS, refused::UNWATCHED);
    let tables = TABLES.into_iter().chain((!kind.may_watch).then_some(watching));
    tables.map(|(errno, calls)| compile(errno, calls)).collect()
}

fn compile(errno: Errno, calls: &[RefusalRule]) -> Result<BpfProgram, Error> {
    let wrong = |error: seccompiler::Error| Error::setup("compile its system call filter", error);
    let mut rules = BTreeMap::<i64, Vec<SeccompRule>>::new();
    for call in calls {
        let conditions = call.when.iter().map(condition).collect::<Result<Vec<_>, _>>();
        let conditions = conditions.map_err(|error| wrong(error.into()))?;
        // A call without rules is refused whatever its arguments.
        let list = rules.entry(call.number).or_default();
        if !conditions.is_empty() {
            list.push(SeccompRule::new(conditions).map_err(|error| wrong(error.into()))?);
        }
    }
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| wrong(error.into()))?;
    let action = SeccompAction::Errno(errno as i32 as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, arch).map_err(|error| wrong(error.into()))?;
    let program: BpfProgram = filter.try_into().map_err(|error: BackendError| wrong(error.into()))?;
    Ok(refuse_x32().into_iter().chain(program).collect())
}

fn condition(test: &ArgumentTest) -> Result<SeccompCondition, BackendError> {
    let condition = |index, operator, value| SeccompCondition::new(index, SeccompCmpArgLen::Dword, operator, value);
    match *test {
        ArgumentTest::Is(index, value) => condition(index, SeccompCmpOp::Eq, value),
        ArgumentTest::IsNot(index, value) => condition(index, SeccompCmpOp::Ne, value),
        ArgumentTest::Has(index, bits) => condition(index, SeccompCmpOp::MaskedEq(bits), bits),
    }
}

/// On x86-64, every call has a second number for programs with 32-bit pointers, which the tables
/// would miss: there are none of them. (The same architecture check lets them pass; real 32-bit
/// programs are killed by it.)
fn refuse_x32() -> Vec<sock_filter> {
    /// Where the second numbers begin. No other architecture has numbers that high.
    const X32: u32 = 0x4000_0000;
    let load_number = sock_filter { code: 0x20 /* BPF_LD | BPF_W | BPF_ABS */, jt: 0, jf: 0, k: 0 };
    let is_below = sock_filter { code: 0x35 /* BPF_JMP | BPF_JGE | BPF_K */, jt: 0, jf: 1, k: X32 };
    let refuse = sock_filter {
        code: 0x06, /* BPF_RET | BPF_K */
        jt: 0,
        jf: 0,
        k: libc::SECCOMP_RET_ERRNO | Errno::ENOSYS as i32 as u32,
    };
    vec![load_number, is_below, refuse]
}
