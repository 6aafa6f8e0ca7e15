"""Transactions that wait for approval."""

from dataclasses import dataclass, field
from typing import List, Optional

from ledger_service.errors import AlreadyApproved, OwnProposal, ProposalClosed
from ledger_service.instants import format_instant
from ledger_service.plans import Plan

PENDING = "pending"
POSTED = "posted"
REJECTED = "rejected"
EXPIRED = "expired"
STATES = (PENDING, POSTED, REJECTED, EXPIRED)


@dataclass(eq=False)
class Proposal:
    id: int
    by: str
    at: int
    expires: int
    needs: int
    plan: Plan
    approvals: List[str] = field(default_factory=list)
    transaction: Optional[int] = None
    rejected: bool = False

    def __post_init__(self):
        self.reserved = self.plan.leaving()

    def state(self, now):
        if self.transaction is not None:
            return POSTED
        if self.rejected:
            return REJECTED
        return EXPIRED if now >= self.expires else PENDING

    def require_pending(self, now):
        if self.state(now) != PENDING:
            raise ProposalClosed

    def require_approver(self, actor):
        if actor == self.by:
            raise OwnProposal
        if actor in self.approvals:
            raise AlreadyApproved

    def note(self, times):
        """Let accounts know what it reserves on them."""
        for account, amount in self.reserved.items():
            account.note_claim(self, times * amount)

    def to_json(self, now):
        value = {
            "id": self.id,
            "state": self.state(now),
            "by": self.by,
            "at": format_instant(self.at),
            "expires": format_instant(self.expires),
            "needs": self.needs,
            "approvals": list(self.approvals),
            "memo": self.plan.memo,
            "effective": format_instant(self.plan.effective),
            "entries": [entry.to_json() for entry in self.plan.entries],
            "transaction": self.transaction,
        }
        if self.plan.rates:
            value["rates"] = [rate.id for rate in self.plan.rates]
        return value
