"""What becomes of transactions that may need approval."""

from ledger_service.errors import ActorRequired
from ledger_service.instants import SECOND
from ledger_service.limits import require_limits
from ledger_service.proposals import Proposal


def propose(book, at, by, plan, rules):
    if by is None:
        raise ActorRequired
    needs = max(rule.approvals for rule in rules)
    expires = at + min(rule.valid for rule in rules) * SECOND
    return book.add_proposal(Proposal(len(book.proposals) + 1, by, at, expires, needs, plan))


def approve(book, proposal, at, by):
    proposal.require_pending(at)
    proposal.require_approver(by)
    if len(proposal.approvals) + 1 == proposal.needs:
        post_proposal(book, proposal, at)
    proposal.approvals.append(by)
    return proposal


def post_proposal(book, proposal, at):
    plan = proposal.plan
    book.require_effective(at, plan.effective)
    impact = plan.impact()
    for account, amount in proposal.reserved.items():
        impact.available[account] += amount
    impact.require_funds(at)
    require_limits(at, proposal.reserved, without=proposal)
    proposal.note(-1)
    proposal.transaction = plan.carry_out(book, at).id


def reject(proposal, at):
    proposal.require_pending(at)
    proposal.note(-1)
    proposal.rejected = True
    return proposal
